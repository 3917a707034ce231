// Command picture makes the picture of the README: it builds overturn, lets it
// make its demo, opens the review on a real pseudo-terminal, presses keys, and draws
// what the emulator shows.
//
//	go run ./docs/picture [-size 120x34] [-keys '(j'] [-theme NAME] [-o docs/review.svg]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"overturn/ui/uitest/ptytest"
)

func main() {
	size := flag.String("size", "120x34", "columns and rows")
	keys := flag.String("keys", "((j", "keys to press, as ptytest.Session.Send takes them")
	theme := flag.String("theme", "", "theme of the review")
	env := flag.String("env", "COLORTERM=truecolor", "more environment, comma-separated")
	out := flag.String("o", "docs/review.svg", "file to write")
	flag.Parse()
	if err := run(*size, *keys, *theme, *env, *out); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(size, keys, theme, env, out string) error {
	var width, height int
	if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil {
		return fmt.Errorf("%q is not a size: %w", size, err)
	}
	dir, err := os.MkdirTemp("", "overturn-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, repo := filepath.Join(dir, "overturn"), filepath.Join(dir, "shop")
	for _, step := range [][]string{{"go", "build", "-o", bin, "."}, {bin, "demo", "--no-tui", "--dir", repo}} {
		if text, err := exec.Command(step[0], step[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(step, " "), err, text)
		}
	}
	session, err := ptytest.Start(ptytest.Options{
		Dir: repo, Width: width, Height: height,
		Env: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TERM=xterm-256color", "OVERTURN_THEME=" + theme}, strings.Split(env, ",")...),
	}, bin)
	if err != nil {
		return err
	}
	defer session.Close()
	if err := session.Wait("3 Latest", 20*time.Second); err != nil {
		return err
	}
	for _, key := range split(keys) {
		if err := session.Send(key); err != nil {
			return err
		}
		time.Sleep(300 * time.Millisecond) // a picture is of the screen at rest
	}
	time.Sleep(700 * time.Millisecond)
	return os.WriteFile(out, []byte(svg(session.Cells())), 0o644)
}

// split parts keys into single ones, names in angle brackets whole.
func split(keys string) []string {
	var list []string
	for keys != "" {
		n := 1
		if end := strings.IndexByte(keys, '>'); keys[0] == '<' && end > 0 {
			n = end + 1
		}
		list, keys = append(list, keys[:n]), keys[n:]
	}
	return list
}
