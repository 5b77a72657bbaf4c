// Says every complaint of Go's type checker about the packages and tests of a module, those that depend on broken
// ones too, which the compiler never reaches. A complaint about the arguments of a call is put at the name that is
// called: the compiler puts it at the closing parenthesis.
//
//	gocheck [-skip PREFIX,...] [-with MODULE=DIR] MODULE
//
// Only the standard library, the module itself and the one of -with are known: what else is imported is empty, and complaints that
// follow from that stand in the state before an edit too.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

type checker struct {
	files  *token.FileSet
	root   string
	module string
	std    types.ImporterFrom
	done   map[string]*types.Package
	with   string
	at     string
}

func (c *checker) ImportFrom(path, dir string, mode types.ImportMode) (*types.Package, error) {
	return c.Import(path)
}

func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if path == c.module || strings.HasPrefix(path, c.module+"/") {
		return c.load(path, filepath.Join(c.root, strings.TrimPrefix(path, c.module)))
	}
	if c.with != "" && (path == c.with || strings.HasPrefix(path, c.with+"/")) {
		return c.load(path, filepath.Join(c.at, strings.TrimPrefix(path, c.with)))
	}
	if strings.Contains(strings.Split(path, "/")[0], ".") {
		return nil, fmt.Errorf("not in the standard library")
	}
	return c.std.ImportFrom(path, c.root, 0)
}

func (c *checker) load(path, dir string) (*types.Package, error) {
	if known, ok := c.done[path]; ok {
		return known, nil
	}
	found, err := build.Default.ImportDir(dir, 0)
	if found == nil || len(found.GoFiles) == 0 {
		return nil, err
	}
	c.done[path] = types.NewPackage(path, found.Name)
	c.done[path] = c.check(path, dir, append(found.GoFiles, found.CgoFiles...))
	return c.done[path], nil
}

func (c *checker) check(path, dir string, names []string) *types.Package {
	var parsed []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(c.files, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			fmt.Printf("%s:1:1: does not parse\n", filepath.Join(dir, name))
		}
		if file != nil {
			parsed = append(parsed, file)
		}
	}
	config := types.Config{Importer: c, FakeImportC: true, Error: func(err error) {
		if said, ok := err.(types.Error); ok {
			place := c.files.Position(c.blamed(parsed, said))
			fmt.Printf("%s:%d:%d: %s\n", place.Filename, place.Line, place.Column, strings.ReplaceAll(said.Msg, "\n", " "))
		}
	}}
	made, _ := config.Check(path, c.files, parsed, nil)
	return made
}

// blamed is where a call names what it calls, of a complaint about how many arguments it gives.
func (c *checker) blamed(parsed []*ast.File, said types.Error) token.Pos {
	if !strings.Contains(said.Msg, "arguments in call") {
		return said.Pos
	}
	found := said.Pos
	for _, file := range parsed {
		ast.Inspect(file, func(node ast.Node) bool {
			if node == nil || node.Pos() > said.Pos || node.End() < said.Pos {
				return false
			}
			if call, ok := node.(*ast.CallExpr); ok && call.Lparen < said.Pos {
				found = named(call.Fun)
			}
			return true
		})
	}
	return found
}

func named(fun ast.Expr) token.Pos {
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		return fun.Sel.Pos()
	case *ast.ParenExpr:
		return named(fun.X)
	default:
		return fun.Pos()
	}
}

func main() {
	skip := flag.String("skip", "", "prefixes of folders that are left out, with commas between")
	with := flag.String("with", "", "another module that is known, MODULE=DIR")
	flag.Parse()
	root, _ := filepath.Abs(flag.Arg(0))
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	module := ""
	for _, line := range strings.Split(string(text), "\n") {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "module" {
			module = words[1]
		}
	}
	files := token.NewFileSet()
	std := importer.ForCompiler(files, "source", nil).(types.ImporterFrom)
	c := &checker{files: files, root: root, module: module, std: std, done: map[string]*types.Package{}}
	c.with, c.at, _ = strings.Cut(*with, "=")
	filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		inner, _ := filepath.Rel(root, dir)
		name := entry.Name()
		if dir != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules") {
			return filepath.SkipDir
		}
		for _, prefix := range strings.Split(*skip, ",") {
			if prefix != "" && strings.HasPrefix(inner+"/", prefix) {
				return filepath.SkipDir
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != root {
			return filepath.SkipDir
		}
		found, _ := build.Default.ImportDir(dir, 0)
		if found == nil {
			return nil
		}
		path := strings.TrimSuffix(module+"/"+filepath.ToSlash(inner), "/.")
		if len(found.GoFiles) > 0 {
			c.Import(path)
		}
		if len(found.TestGoFiles) > 0 {
			// With its tests a package is another one; those that import it are given the one without.
			c.check(path, dir, append(append([]string{}, found.GoFiles...), found.TestGoFiles...))
		}
		if len(found.XTestGoFiles) > 0 {
			c.check(path+"_test", dir, found.XTestGoFiles)
		}
		return nil
	})
}
