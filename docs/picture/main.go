// Command picture makes the pictures of the documentation: it builds overturn, lets
// it make its demo, opens the review on a real pseudo-terminal, presses keys, and
// draws what the emulator shows. Without flags it makes all of docs/pictures; with
// -keys one of your own.
//
//	go run ./docs/picture [NAME…]
//	go run ./docs/picture -keys '(j' [-size 120x34] [-theme NAME] [-env NO_COLOR=1] -o FILE
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/ui/uitest/ptytest"
)

func main() {
	var s scene
	flag.StringVar(&s.size, "size", "120x34", "columns and rows")
	flag.StringVar(&s.keys, "keys", "", "keys to press, as ptytest.Session.Send takes them")
	flag.StringVar(&s.theme, "theme", "", "theme of the review")
	flag.StringVar(&s.env, "env", "COLORTERM=truecolor", "more environment, comma-separated")
	flag.StringVar(&s.file, "o", "", "file to write; without it, the pictures of docs/pictures are made")
	flag.Parse()
	if err := run(s, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// run makes one picture, or those of the list that are named, or all of them.
func run(one scene, names []string) error {
	list := []scene{one}
	if one.file == "" {
		list = slices.DeleteFunc(scenes(), func(s scene) bool { return len(names) > 0 && !slices.Contains(names, s.name()) })
	}
	dir, err := os.MkdirTemp("", "overturn-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "overturn")
	if text, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	for i, s := range list {
		if err := s.take(bin, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		fmt.Println(s.file)
	}
	return nil
}

// take makes the picture of a scene, in a demo of its own below home.
func (s scene) take(bin, home string) error {
	var width, height int
	if _, err := fmt.Sscanf(s.size, "%dx%d", &width, &height); err != nil {
		return fmt.Errorf("%q is not a size: %w", s.size, err)
	}
	repo := filepath.Join(home, "shop")
	if err := os.Mkdir(home, 0o755); err != nil {
		return err
	}
	if text, err := exec.Command(bin, "demo", "--no-tui", "--dir", repo).CombinedOutput(); err != nil {
		return fmt.Errorf("overturn demo: %w\n%s", err, text)
	}
	session, err := ptytest.Start(ptytest.Options{
		Dir: repo, Width: width, Height: height,
		Env: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TERM=xterm-256color", "OVERTURN_THEME=" + s.theme}, strings.Split(s.env, ",")...),
	}, bin)
	if err != nil {
		return err
	}
	defer session.Close()
	if err := session.Wait("3 Latest", 20*time.Second); err != nil {
		return err
	}
	for _, key := range split(s.keys) {
		if err := session.Send(key); err != nil {
			return err
		}
		time.Sleep(300 * time.Millisecond) // a picture is of the screen at rest
	}
	time.Sleep(700 * time.Millisecond)
	if err := os.MkdirAll(filepath.Dir(s.file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.file, []byte(svg(session.Cells())), 0o644)
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
