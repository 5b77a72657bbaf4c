// Definitions, uses and imports of a C# repository, by Roslyn's own trees and symbols.
//
//     dotnet CSharpTruth.dll CHECKOUT REFERENCES [-DNAME...] [FOLDER...] > uses.jsonl
//
// REFERENCES are folders of assemblies, with colons between them; libraries may be missing. All files (of the
// folders, if any are named) are one compilation, whatever projects they belong to. The shapes of the lines
// are described in ../README.md.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

static class CSharpTruth
{
    static readonly StreamWriter Out = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));

    static void Main(string[] args)
    {
        string root = Path.GetFullPath(args[0]).TrimEnd('/');
        string[] symbols = args.Skip(2).Where(a => a.StartsWith("-D")).Select(a => a.Substring(2)).ToArray();
        string[] folders = args.Skip(2).Where(a => !a.StartsWith("-D")).ToArray();
        var options = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.None, SourceCodeKind.Regular, symbols);
        var trees = new List<SyntaxTree>();
        foreach (string path in Git(root, "ls-files -z *.cs").Split('\0').Where(p => p != ""))
        {
            if (folders.Length == 0 || folders.Any(f => path.StartsWith(f.TrimEnd('/') + "/")))
            {
                var text = SourceText.From(File.ReadAllText(Path.Combine(root, path)), Encoding.UTF8);
                trees.Add(CSharpSyntaxTree.ParseText(text, options, path));
            }
        }
        var references = args[1].Split(':').SelectMany(folder => Directory.GetFiles(folder, "*.dll"));
        var compilation = CSharpCompilation.Create("truth", trees,
            references.Select(dll => MetadataReference.CreateFromFile(dll)),
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, allowUnsafe: true));
        string roslyn = typeof(CSharpCompilation).Assembly.GetName().Version.ToString(3);
        Write(new
        {
            t = "head", language = "csharp", repo = Path.GetFileName(root),
            commit = Git(root, "rev-parse HEAD").Trim(), oracle = "Roslyn " + roslyn,
        });
        var files = trees.Select(tree => new Definitions(tree, compilation.GetSemanticModel(tree))).ToList();
        foreach (var file in files)
        {
            file.Visit(file.Tree.GetRoot());
        }
        var names = new HashSet<string>(files.SelectMany(file => file.Names));
        var places = files.SelectMany(file => file.Places).ToLookup(pair => pair.Key, pair => pair.Value);
        foreach (var file in files)
        {
            Write(new { t = "file", path = file.Tree.FilePath, unread = LeftOut(file.Tree) });
            file.Found.ForEach(Write);
            new Uses(file, names, places).Visit(file.Tree.GetRoot());
        }
        Out.Flush();
    }

    static void Write(object line) => Out.WriteLine(JsonSerializer.Serialize(line));

    static string Git(string root, string arguments)
    {
        var start = new ProcessStartInfo("git", $"-C {root} {arguments}") { RedirectStandardOutput = true };
        using (var process = Process.Start(start))
        {
            return process.StandardOutput.ReadToEnd();
        }
    }

    /// First and last lines of what conditions leave out.
    static int[][] LeftOut(SyntaxTree tree) => tree.GetRoot().DescendantTrivia(descendIntoTrivia: true)
        .Where(trivia => trivia.IsKind(SyntaxKind.DisabledTextTrivia))
        .Select(trivia => tree.GetLineSpan(trivia.Span))
        .Select(span => new[] { span.StartLinePosition.Line + 1, span.EndLinePosition.Line + 1 })
        .ToArray();

    static object[] Place(SyntaxTree tree, int at)
    {
        var text = tree.GetText();
        var line = text.Lines.GetLineFromPosition(at);
        int col = Encoding.UTF8.GetByteCount(text.ToString(TextSpan.FromBounds(line.Start, at)));
        return new object[] { tree.FilePath, line.LineNumber + 1, col };
    }

    /// Everything a file declares, at the places of the names.
    class Definitions : CSharpSyntaxWalker
    {
        public readonly SyntaxTree Tree;
        public readonly SemanticModel Model;
        public readonly List<object> Found = new List<object>();
        public readonly List<string> Names = new List<string>();
        public readonly List<KeyValuePair<SyntaxReference, object[]>> Declared = new List<KeyValuePair<SyntaxReference, object[]>>();
        readonly List<string> container = new List<string>();

        public Definitions(SyntaxTree tree, SemanticModel model)
        {
            Tree = tree;
            Model = model;
        }

        /// Where a symbol's declarations have their names.
        public IEnumerable<KeyValuePair<(SyntaxTree, TextSpan), object[]>> Places => Declared.Select(pair =>
            new KeyValuePair<(SyntaxTree, TextSpan), object[]>((pair.Key.SyntaxTree, pair.Key.Span), pair.Value));

        void Add(SyntaxNode node, SyntaxToken name, string kind, SyntaxNode whole = null, bool optional = false, string called = null)
        {
            called = called ?? name.ValueText;
            if (name.IsMissing || called == "")
            {
                return;
            }
            var place = Place(Tree, name.SpanStart);
            Declared.Add(new KeyValuePair<SyntaxReference, object[]>(node.GetReference(), place));
            Names.Add(called);
            int end = Tree.GetLineSpan((whole ?? node).Span).EndLinePosition.Line + 1;
            bool isImplicit = !optional && Implicit(Model.GetDeclaredSymbol(node));
            Found.Add(new
            {
                t = "def", path = Tree.FilePath, line = place[1], col = place[2], name = called, kind,
                container = string.Join(".", container), end, optional, @implicit = isImplicit,
            });
        }

        /// What is called without being named: by a base, an interface, a framework or the language itself.
        static bool Implicit(ISymbol symbol)
        {
            if (symbol == null || symbol is INamedTypeSymbol || symbol.Kind == SymbolKind.Namespace)
            {
                // Extension methods are called without their class.
                return symbol is INamedTypeSymbol type && (type.GetAttributes().Length > 0 || type.MightContainExtensionMethods);
            }
            if (symbol.IsOverride || symbol.IsExtern || symbol.GetAttributes().Length > 0 || ByLanguage.Contains(symbol.Name))
            {
                return true;
            }
            var owner = symbol.ContainingType;
            for (var at = owner; at != null; at = at.BaseType)
            {
                if (at.TypeKind == TypeKind.Error)
                {
                    return true; // what it asks for is not known
                }
            }
            return owner != null && owner.TypeKind != TypeKind.Interface && owner.AllInterfaces.Any(asked =>
                asked.TypeKind == TypeKind.Error
                || asked.GetMembers().Any(member => symbol.Equals(owner.FindImplementationForInterfaceMember(member))));
        }

        static readonly HashSet<string> ByLanguage = new HashSet<string>
        {
            "Main", "Add", "GetEnumerator", "MoveNext", "Current", "Deconstruct", "GetAwaiter", "Dispose", "Select",
            "SelectMany", "Where", "OrderBy", "GroupBy", "Join", "Cast",
        };

        void Inside(string name, Action visit)
        {
            container.Add(name);
            visit();
            container.RemoveAt(container.Count - 1);
        }

        public override void VisitNamespaceDeclaration(NamespaceDeclarationSyntax node)
        {
            var name = node.Name.GetLastToken();
            Add(node, node.Name.GetFirstToken(), "module", optional: true, called: node.Name.ToString());
            if (node.Name.ToString() != name.ValueText)
            {
                Add(node, name, "module", optional: true);
            }
            base.VisitNamespaceDeclaration(node);
        }

        void Type(BaseTypeDeclarationSyntax node, string kind, Action visit)
        {
            Add(node, node.Identifier, kind);
            Inside(node.Identifier.ValueText, visit);
        }

        public override void VisitClassDeclaration(ClassDeclarationSyntax node) =>
            Type(node, "class", () => base.VisitClassDeclaration(node));

        public override void VisitStructDeclaration(StructDeclarationSyntax node) =>
            Type(node, "struct", () => base.VisitStructDeclaration(node));

        public override void VisitInterfaceDeclaration(InterfaceDeclarationSyntax node) =>
            Type(node, "interface", () => base.VisitInterfaceDeclaration(node));

        public override void VisitEnumDeclaration(EnumDeclarationSyntax node) =>
            Type(node, "enum", () => base.VisitEnumDeclaration(node));

        public override void VisitEnumMemberDeclaration(EnumMemberDeclarationSyntax node)
        {
            Add(node, node.Identifier, "variant");
            base.VisitEnumMemberDeclaration(node);
        }

        public override void VisitDelegateDeclaration(DelegateDeclarationSyntax node)
        {
            Add(node, node.Identifier, "type");
            base.VisitDelegateDeclaration(node);
        }

        public override void VisitMethodDeclaration(MethodDeclarationSyntax node)
        {
            Add(node, node.Identifier, "method");
            Inside(node.Identifier.ValueText, () => base.VisitMethodDeclaration(node));
        }

        public override void VisitLocalFunctionStatement(LocalFunctionStatementSyntax node)
        {
            Add(node, node.Identifier, "function");
            Inside(node.Identifier.ValueText, () => base.VisitLocalFunctionStatement(node));
        }

        public override void VisitConstructorDeclaration(ConstructorDeclarationSyntax node)
        {
            Add(node, node.Identifier, "constructor");
            Inside(node.Identifier.ValueText, () => base.VisitConstructorDeclaration(node));
        }

        public override void VisitDestructorDeclaration(DestructorDeclarationSyntax node)
        {
            Add(node, node.TildeToken, "destructor", called: "~" + node.Identifier.ValueText);
            base.VisitDestructorDeclaration(node);
        }

        /// Operators are called by the text from their keyword on, indexers by theirs.
        public override void VisitOperatorDeclaration(OperatorDeclarationSyntax node)
        {
            var span = TextSpan.FromBounds(node.OperatorKeyword.SpanStart, node.OperatorToken.Span.End);
            Add(node, node.OperatorKeyword, "operator", called: Tree.GetText().ToString(span));
            base.VisitOperatorDeclaration(node);
        }

        public override void VisitConversionOperatorDeclaration(ConversionOperatorDeclarationSyntax node)
        {
            var span = TextSpan.FromBounds(node.OperatorKeyword.SpanStart, node.Type.Span.End);
            Add(node, node.OperatorKeyword, "operator", called: Tree.GetText().ToString(span));
            base.VisitConversionOperatorDeclaration(node);
        }

        public override void VisitIndexerDeclaration(IndexerDeclarationSyntax node)
        {
            Add(node, node.ThisKeyword, "indexer");
            base.VisitIndexerDeclaration(node);
        }

        public override void VisitPropertyDeclaration(PropertyDeclarationSyntax node)
        {
            Add(node, node.Identifier, "field");
            base.VisitPropertyDeclaration(node);
        }

        public override void VisitEventDeclaration(EventDeclarationSyntax node)
        {
            Add(node, node.Identifier, "field");
            base.VisitEventDeclaration(node);
        }

        public override void VisitVariableDeclarator(VariableDeclaratorSyntax node)
        {
            if (node.Parent.Parent is BaseFieldDeclarationSyntax field)
            {
                Add(node, node.Identifier, "field", field);
            }
            base.VisitVariableDeclarator(node);
        }
    }

    /// What each name means that is spelled like a definition, and where imports lead.
    class Uses : CSharpSyntaxWalker
    {
        readonly Definitions file;
        readonly HashSet<string> names;
        readonly ILookup<(SyntaxTree, TextSpan), object[]> places;

        public Uses(Definitions file, HashSet<string> names, ILookup<(SyntaxTree, TextSpan), object[]> places)
        {
            this.file = file;
            this.names = names;
            this.places = places;
        }

        public override void VisitIdentifierName(IdentifierNameSyntax node) => Use(node);

        public override void VisitGenericName(GenericNameSyntax node)
        {
            Use(node);
            base.VisitGenericName(node);
        }

        void Use(SimpleNameSyntax node)
        {
            string name = node.Identifier.ValueText;
            bool binds = node.Parent is NameEqualsSyntax
                && (node.Parent.Parent is UsingDirectiveSyntax || node.Parent.Parent is AnonymousObjectMemberDeclaratorSyntax);
            if (node.Identifier.IsMissing || !names.Contains(name) || binds || node.Parent is NamespaceDeclarationSyntax)
            {
                return;
            }
            var at = Place(file.Tree, node.Identifier.SpanStart);
            Write(new { t = "use", path = at[0], line = at[1], col = at[2], name, to = Meant(node)?.ToArray() });
        }

        /// The places of the declarations; none outside of the repository, null when it is not known.
        IEnumerable<object[]> Meant(SimpleNameSyntax node)
        {
            var info = file.Model.GetSymbolInfo(node);
            if (info.Symbol != null)
            {
                return info.Symbol.Kind == SymbolKind.ErrorType ? null : Declared(info.Symbol);
            }
            // Overloads of one type in one file count as one symbol: which of them it is need not be known.
            var candidates = info.CandidateSymbols;
            if (candidates.IsEmpty || info.CandidateReason == CandidateReason.LateBound)
            {
                return null;
            }
            var found = candidates.SelectMany(Declared).ToList();
            bool one = candidates.Select(c => c.ContainingSymbol?.OriginalDefinition).Distinct().Count() == 1
                && found.Select(place => place[0]).Distinct().Count() <= 1;
            return one ? found : null;
        }

        IEnumerable<object[]> Declared(ISymbol symbol)
        {
            symbol = ((symbol as IMethodSymbol)?.ReducedFrom ?? symbol).OriginalDefinition;
            var method = symbol as IMethodSymbol;
            if (method != null && method.MethodKind == MethodKind.Constructor)
            {
                symbol = method.ContainingType; // the name of an attribute
            }
            var parts = new[] { symbol, method?.PartialDefinitionPart, method?.PartialImplementationPart };
            return parts.Where(part => part != null).Distinct().SelectMany(part => part.DeclaringSyntaxReferences)
                .SelectMany(reference => places[(reference.SyntaxTree, reference.Span)])
                .Where(_ => symbol.Kind != SymbolKind.Namespace);
        }

        public override void VisitUsingDirective(UsingDirectiveSyntax node)
        {
            var symbol = file.Model.GetSymbolInfo(node.Name).Symbol;
            var types = symbol is INamespaceSymbol space ? space.GetTypeMembers() : (IEnumerable<ISymbol>)new[] { symbol };
            var targets = types.Where(type => type != null)
                .SelectMany(type => type.OriginalDefinition.DeclaringSyntaxReferences)
                .Select(reference => reference.SyntaxTree.FilePath).Distinct().OrderBy(path => path, StringComparer.Ordinal);
            Write(new
            {
                t = "import", path = file.Tree.FilePath, line = Place(file.Tree, node.SpanStart)[1],
                specifier = node.Name.ToString(), targets = targets.ToArray(),
            });
            base.VisitUsingDirective(node);
        }
    }
}
