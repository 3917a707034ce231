"""Makes the databases of the tests: run in this folder, with Python's own sqlite3."""
import os, shutil, sqlite3

def fresh(name):
    for end in ("", "-wal", "-shm"):
        if os.path.exists(name + end):
            os.remove(name + end)
    return name

# Many small pages, records in overflow pages, a column that was added later, names in quotes.
db = sqlite3.connect(fresh("plain.sqlite"), isolation_level=None)
db.execute("pragma page_size=512")
db.execute("""create table "odd name" ( -- a comment, (with) 'quotes'
  "id, of it" text primary key, /* another */ [n] integer default (1+2), `long` text check (`long` <> ''),
  real real, blob blob, unique (n), constraint c check (n <> 7))""")
db.execute("create table other (id text)")
for n in range(120):
    db.execute('insert into "odd name" values (?,?,?,?,?)', (f"id-{n}", n * n * n * 1000 - 5, "x" * (n * 9 + 1), n / 2 + 0.25, b"\0"))
db.execute('alter table "odd name" add column later text')
db.execute('insert into "odd name" values (?,?,?,?,?,?)', ("last", None, "é", None, None, "later"))
db.execute("create table strict_one (k text primary key, v text) without rowid")
db.execute("create table computed (a text, b text generated always as (a || 'x') virtual)")
db.execute("create table empty_one (a text)")
db.close()

# A log: what it has committed counts, a transaction that was cut short does not.
db = sqlite3.connect(fresh("live.sqlite"), isolation_level=None)
db.execute("pragma page_size=1024")
db.execute("pragma journal_mode=wal")
db.execute("pragma wal_autocheckpoint=0")
db.execute("create table t (id text, title text)")
db.execute("insert into t values ('a', 'first')")
db.execute("pragma wal_checkpoint(truncate)")
db.execute("update t set title = 'second'")
db.execute("insert into t values ('b', 'in the log alone')")
shutil.copy("live.sqlite", fresh("wal.sqlite"))
shutil.copy("live.sqlite-wal", "wal.sqlite-wal")
db.execute("update t set title = 'third'")
whole = open("live.sqlite-wal", "rb").read()
shutil.copy("live.sqlite", fresh("torn.sqlite"))
open("torn.sqlite-wal", "wb").write(whole[:-100])
db.close()
fresh("live.sqlite")

db = sqlite3.connect(fresh("utf16.sqlite"), isolation_level=None)
db.execute("pragma encoding='UTF-16le'")
db.execute("create table t (id text)")
db.close()
