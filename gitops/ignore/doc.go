// Package ignore answers which names git ignores where its answer leaves no doubt,
// so that a hook need not start git for every new file.
//
// Git is the authority. Parse reads only rules whose meaning is plain: names, paths,
// "*", "?", sets of letters and digits as in "*.py[co]", a leading "/", "!" or "**/",
// a trailing "/"; one rule of another kind (another "[", a "\", another "**", a
// trailing space) and the whole list is not plain, and the caller asks git
// check-ignore instead. The tests hold the answers to plain lists against
// git's own on random rules and names.
//
// It is pure: no file is read here, and a crash leaves nothing behind. What the rules
// mean is gitignore(5); the order of the lists is that of git's dir.c.
package ignore
