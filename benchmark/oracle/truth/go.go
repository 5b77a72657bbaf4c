// Definitions, uses and imports of a Go module, by go/ast and go/types.
//
//	GO111MODULE=off go run go.go CHECKOUT > uses.jsonl
//
// Packages from elsewhere are looked for in GOPATH. The shapes of the lines are described in ../README.md.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
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
	embedded  bool
}

// definitions lists what a file declares: functions, methods, types with their fields and interface
// methods, and the variables and constants of the package.
func definitions(file *ast.File) []definition {
	var found []definition
	var end token.Pos
	add := func(name *ast.Ident, kind, container string) {
		if name.Name != "_" {
			found = append(found, definition{name, kind, container, max(end, name.End()), kind == "embedded"})
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

// typeName is the name that an embedded type gives its field.
func typeName(of ast.Expr) *ast.Ident {
	for {
		switch inner := of.(type) {
		case *ast.StarExpr:
			of = inner.X
		case *ast.IndexExpr:
			of = inner.X
		case *ast.IndexListExpr:
			of = inner.X
		case *ast.SelectorExpr:
			return inner.Sel
		case *ast.Ident:
			return inner
		default:
			return nil
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
			if name := typeName(field.Type); len(field.Names) == 0 && name != nil {
				add(name, "embedded", container)
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

// loader type-checks packages from source. What is not in the checkout and not in the folders of
// GOPATH and GOROOT is an empty package: uses of it are not decided.
type loader struct {
	root, module string
	files        *token.FileSet
	fallback     types.Importer
	loaded       map[string]*types.Package
	info         *types.Info
	parsed       map[string]*ast.File
}

func (l *loader) Import(path string) (*types.Package, error) {
	if found, ok := l.loaded[path]; ok {
		return found, nil
	}
	if dir, ok := l.inside(path); ok {
		l.loaded[path] = types.NewPackage(path, filepath.Base(path))
		groups := l.parse(dir)
		for name, files := range groups {
			if !strings.HasSuffix(name, "_test") && name != "main" {
				l.loaded[path] = l.check(path, files)
			}
		}
		return l.loaded[path], nil
	}
	found, err := l.fallback.Import(path)
	if err != nil || found == nil {
		// The last component that is not a version is what the package is called, mostly.
		name := filepath.Base(path)
		if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
			name = filepath.Base(filepath.Dir(path))
		}
		fmt.Fprintln(os.Stderr, "not here:", path)
		found = types.NewPackage(path, name)
		found.MarkComplete()
	}
	l.loaded[path] = found
	return found, nil
}

// inside says which folder of the checkout an import path names.
func (l *loader) inside(path string) (string, bool) {
	if path == l.module {
		return ".", true
	}
	rest, ok := strings.CutPrefix(path, l.module+"/")
	if !ok {
		return "", false
	}
	_, err := os.Stat(filepath.Join(l.root, rest))
	return rest, err == nil
}

// parse reads the Go files of a folder that this platform builds, tests too, by name of package.
func (l *loader) parse(dir string) map[string][]*ast.File {
	groups := map[string][]*ast.File{}
	entries, _ := os.ReadDir(filepath.Join(l.root, dir))
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		if ok, err := build.Default.MatchFile(filepath.Join(l.root, dir), entry.Name()); err != nil || !ok {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		file, ok := l.parsed[path]
		if !ok {
			var err error
			file, err = parser.ParseFile(l.files, filepath.Join(l.root, path), nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			l.parsed[path] = file
		}
		groups[file.Name.Name] = append(groups[file.Name.Name], file)
	}
	return groups
}

func (l *loader) check(path string, files []*ast.File) *types.Package {
	config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, l.files, files, l.info)
	return checked
}

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out.Encode(line{
		"t": "head", "language": "go", "repo": filepath.Base(root),
		"commit": strings.TrimSpace(git(root, "rev-parse", "HEAD")),
		"oracle": "go/ast and go/types of " + runtime.Version(),
	})
	l := &loader{
		root: root, files: token.NewFileSet(), loaded: map[string]*types.Package{}, parsed: map[string]*ast.File{},
		info: &types.Info{
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{},
		},
	}
	for _, line := range strings.Split(git(root, "show", "HEAD:go.mod"), "\n") {
		if rest, ok := strings.CutPrefix(line, "module "); ok {
			l.module = strings.TrimSpace(rest)
		}
	}
	l.fallback = importer.ForCompiler(l.files, "source", nil)
	dirs := map[string]bool{}
	var paths []string
	for _, path := range strings.Split(git(root, "ls-files", "-z", "*.go"), "\x00") {
		if path != "" {
			paths = append(paths, path)
			dirs[filepath.Dir(path)] = true
		}
	}
	for dir := range dirs {
		path := l.module
		if dir != "." {
			path += "/" + filepath.ToSlash(dir)
		}
		l.Import(path)
	}
	// Packages of tests from outside, and programs.
	for dir := range dirs {
		for name, files := range l.parse(dir) {
			if strings.HasSuffix(name, "_test") || name == "main" {
				l.check(l.module+"/"+dir+"#"+name, files)
			}
		}
	}
	interfaces := map[string]bool{}
	for _, pkg := range l.loaded {
		addInterfaces(pkg, interfaces)
	}
	names := map[string]bool{}
	found := map[string][]definition{}
	for _, path := range paths {
		file, ok := l.parsed[path]
		if !ok {
			// Left out by a build constraint; what it declares is told, what it uses is not.
			if file, err = parser.ParseFile(l.files, filepath.Join(root, path), nil, parser.SkipObjectResolution); err != nil {
				fmt.Fprintln(os.Stderr, err)
				continue
			}
		}
		found[path] = definitions(file)
		for _, d := range found[path] {
			names[d.name.Name] = true
		}
	}
	place := func(at token.Pos) (string, int, int) {
		p := l.files.Position(at)
		relative, err := filepath.Rel(root, p.Filename)
		if err != nil || strings.HasPrefix(relative, "..") {
			return "", 0, 0
		}
		return filepath.ToSlash(relative), p.Line, p.Column - 1
	}
	for _, path := range paths {
		if _, ok := found[path]; !ok {
			continue
		}
		file, checked := l.parsed[path]
		if checked {
			out.Encode(line{"t": "file", "path": path})
		} else {
			out.Encode(line{"t": "file", "path": path, "skipped": true})
		}
		for _, d := range found[path] {
			_, at, col := place(d.name.Pos())
			said := line{
				"t": "def", "path": path, "line": at, "col": col,
				"name": d.name.Name, "kind": d.kind, "container": d.container, "end": l.files.Position(d.end).Line,
			}
			if d.embedded {
				// A field, but spelled by a use of the type.
				said["kind"], said["optional"] = "field", true
			}
			if implicit(d, path, interfaces) {
				said["implicit"] = true
			}
			out.Encode(said)
		}
		if !checked {
			continue
		}
		for _, spec := range file.Imports {
			specifier := strings.Trim(spec.Path.Value, "\"`")
			targets := []string{}
			if dir, ok := l.inside(specifier); ok {
				targets = append(targets, dir)
			}
			out.Encode(line{
				"t": "import", "path": path, "line": l.files.Position(spec.Pos()).Line, "specifier": specifier, "targets": targets,
			})
		}
		ast.Inspect(file, func(node ast.Node) bool {
			name, ok := node.(*ast.Ident)
			if !ok || !names[name.Name] {
				return true
			}
			_, at, col := place(name.Pos())
			said := line{"t": "use", "path": path, "line": at, "col": col, "name": name.Name, "to": nil}
			object := l.info.Uses[name]
			if object == nil {
				if defined := l.info.Defs[name]; defined != nil {
					object = defined
				} else if _, declares := l.info.Defs[name]; declares {
					// The package clause, and the symbolic variable of a type switch.
					said["to"] = [][]any{}
				}
			}
			if object != nil {
				to := [][]any{}
				object = origin(object)
				if where, at, col := place(object.Pos()); where != "" && object.Pos().IsValid() {
					to = append(to, []any{where, at, col})
				}
				// An embedded field is spelled by the type, which it uses.
				said["to"] = to
			}
			out.Encode(said)
			return true
		})
	}
}

// origin is what was written, of an instance of something generic.
func origin(object types.Object) types.Object {
	switch object := object.(type) {
	case *types.Func:
		return object.Origin()
	case *types.Var:
		return object.Origin()
	}
	return object
}

func addInterfaces(pkg *types.Package, names map[string]bool) {
	for _, name := range pkg.Scope().Names() {
		if of, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			if face, ok := of.Type().Underlying().(*types.Interface); ok {
				for method := range face.Methods() {
					names[method.Name()] = true
				}
			}
		}
	}
}

// implicit says whether something may call a definition without naming it: tests, programs, and
// methods that an interface asks for.
func implicit(d definition, path string, interfaces map[string]bool) bool {
	if d.kind == "method" {
		return interfaces[d.name.Name]
	}
	return d.kind == "function" && (d.name.Name == "main" || d.name.Name == "init" || strings.HasSuffix(path, "_test.go"))
}
