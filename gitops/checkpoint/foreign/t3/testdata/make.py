"""Makes T3 Code's two databases as far as they are known: run in this folder."""
import base64, hashlib, json, os, shutil, sqlite3

UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
os.makedirs("home/userdata", exist_ok=True)
for name in ("state.sqlite", "statev2.sqlite", "statev2.sqlite-wal"):
    if os.path.exists("home/userdata/" + name):
        os.remove("home/userdata/" + name)

def first(db):
    db.execute("create table projection_projects (project_id text primary key, title text not null, workspace_root text not null, deleted_at text)")
    db.execute("create table projection_threads (thread_id text primary key, project_id text not null, title text not null, branch text, worktree_path text, created_at text, updated_at text, deleted_at text)")
    db.execute("insert into projection_projects values ('p', 'Project', '/code/repo', null)")
    db.execute("insert into projection_threads values (?, 'p', 'Fix the parser\u001b[31m', 'main', null, '', '', null)", (UUID,))
    db.execute("insert into projection_threads values ('elsewhere', 'p', 'In a work tree', 'x', '/code/linked/sub', '', '', null)")

db = sqlite3.connect("home/userdata/state.sqlite", isolation_level=None)
first(db)
db.close()

live = "live.sqlite"
db = sqlite3.connect(live, isolation_level=None)
db.execute("pragma page_size=1024")
db.execute("pragma journal_mode=wal")
db.execute("pragma wal_autocheckpoint=0")
first(db)
db.execute("create table orchestration_v2_projection_threads (thread_id text primary key, project_id text, title text, created_at text, updated_at text, archived_at text, deleted_at text, payload_json text)")
db.execute("create table orchestration_v2_projection_checkpoint_scopes (scope_id text primary key, thread_id text, kind text, payload_json text)")
db.execute("insert into orchestration_v2_projection_threads values ('later', 'p', 'The second generation', '', '', null, null, ?)", (json.dumps({"worktreePath": "/code/linked"}),))
db.execute("insert into orchestration_v2_projection_checkpoint_scopes values ('checkpoint-scope:thread:later:name:root', 'later', 'root', ?)", (json.dumps({"cwd": "/code/repo/sub"}),))
db.execute("insert into orchestration_v2_projection_threads values ('no scope', 'p', 'Found by its own id', '', '', null, null, ?)", (json.dumps({"worktreePath": "/code/linked"}),))
db.execute("insert into orchestration_v2_projection_threads values ('broken', 'p', 'Broken payload', '', '', null, null, 'no json')")
shutil.copy(live, "home/userdata/statev2.sqlite")
shutil.copy(live + "-wal", "home/userdata/statev2.sqlite-wal")
db.close()
os.remove(live)
