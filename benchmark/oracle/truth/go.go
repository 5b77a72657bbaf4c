// Definitions, uses and imports of a Go module, by go/ast and go/types.
//
//	go run go.go CHECKOUT > go.jsonl
//
// Run it where golang.org/x/tools is in go.mod. The shapes of the lines are described in ../README.md.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

type line map[string]any

var out = json.NewEncoder(os.Stdout)

func git(root string, args ...string) string {
	said, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "git:", err)
		os.Exit(1)
	}
	return string(said)
}

// definition is the place of a name.
type definition struct {
	name      *ast.Ident
	kind      string
	container string
	end       token.Pos
}

// definitions lists what a file declares: functions, methods, types with their fields and interface
// methods, and the variables and constants of the package.
func definitions(file *ast.File) []definition {
	var found []definition
	var end token.Pos
	add := func(name *ast.Ident, kind, container string) {
		if name.Name != "_" {
			found = append(found, definition{name, kind, container, max(end, name.End())})
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			end = decl.End()
			if decl.Recv == nil {
				add(decl.Name, "function", "")
			} else {
				add(decl.Name, "method", receiver(decl.Recv))
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				end = token.NoPos
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					kind := "type"
					switch spec.Type.(type) {
					case *ast.StructType:
						kind = "struct"
					case *ast.InterfaceType:
						kind = "interface"
					}
					end = spec.End()
					add(spec.Name, kind, "")
					end = token.NoPos
					members(spec.Type, spec.Name.Name, add)
				case *ast.ValueSpec:
					kind := "variable"
					if decl.Tok == token.CONST {
						kind = "constant"
					}
					for _, name := range spec.Names {
						add(name, kind, "")
					}
				}
			}
		}
	}
	end = token.NoPos
	// Types inside functions are definitions too, as nested classes are elsewhere.
	for _, decl := range file.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
			ast.Inspect(decl.Body, func(node ast.Node) bool {
				if spec, ok := node.(*ast.TypeSpec); ok {
					add(spec.Name, "type", decl.Name.Name)
					members(spec.Type, spec.Name.Name, add)
				}
				return true
			})
		}
	}
	return found
}

func receiver(list *ast.FieldList) string {
	if len(list.List) == 0 {
		return ""
	}
	of := list.List[0].Type
	for {
		switch inner := of.(type) {
		case *ast.StarExpr:
			of = inner.X
		case *ast.ParenExpr:
			of = inner.X
		case *ast.IndexExpr:
			of = inner.X
		case *ast.IndexListExpr:
			of = inner.X
		case *ast.Ident:
			return inner.Name
		default:
			return ""
		}
	}
}

func members(of ast.Expr, container string, add func(*ast.Ident, string, string)) {
	switch of := of.(type) {
	case *ast.StructType:
		for _, field := range of.Fields.List {
			for _, name := range field.Names {
				add(name, "field", container)
				members(field.Type, container+"."+name.Name, add)
			}
		}
	case *ast.InterfaceType:
		for _, method := range of.Methods.List {
			for _, name := range method.Names {
				add(name, "method", container)
			}
		}
	}
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out.Encode(line{
		"t": "head", "language": "go", "repo": filepath.Base(root),
		"commit": strings.TrimSpace(git(root, "rev-parse", "HEAD")),
		"oracle": "go/ast and go/types of " + runtime.Version(),
	})
	for _, path := range strings.Split(git(root, "ls-files", "-z", "*.go"), "\x00") {
		if path == "" {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(root, path), nil, parser.SkipObjectResolution)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		out.Encode(line{"t": "file", "path": path})
		for _, d := range definitions(file) {
			at := files.Position(d.name.Pos())
			out.Encode(line{
				"t": "def", "path": path, "line": at.Line, "col": at.Column - 1,
				"name": d.name.Name, "kind": d.kind, "container": d.container, "end": files.Position(d.end).Line,
			})
		}
	}
}
