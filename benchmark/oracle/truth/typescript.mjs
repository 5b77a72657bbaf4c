// Definitions, uses and imports of a TypeScript or JavaScript repository, by the compiler's own
// language service.
//
//     node typescript.mjs definitions CHECKOUT [typescript|javascript]
//     node typescript.mjs uses CHECKOUT FOLDER TSCONFIG...
//
// The package `typescript` is looked for from the current folder. The shapes of the lines are
// described in ../README.md.

import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ts = createRequire(process.cwd() + "/")("typescript");
const K = ts.SyntaxKind;

const EXTENSIONS = {
  typescript: [".ts", ".tsx", ".mts", ".cts"],
  javascript: [".js", ".jsx", ".mjs", ".cjs"],
};

export function tracked(root, language) {
  const out = execFileSync("git", ["-C", root, "ls-files", "-z"], { encoding: "utf8", maxBuffer: 1 << 28 });
  return out.split("\0").filter((file) => EXTENSIONS[language].some((end) => file.endsWith(end)));
}

export function head(root, language) {
  const commit = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  return { t: "head", language, repo: path.basename(path.resolve(root)), commit, oracle: `typescript ${ts.version}` };
}

/// Line and byte column of a position in characters.
export function place(source, at) {
  const { line, character } = source.getLineAndCharacterOfPosition(at);
  const start = at - character;
  return { line: line + 1, col: Buffer.byteLength(source.text.slice(start, at)) };
}

const isFunction = (node) =>
  node !== undefined && (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node));

const unwrap = (node) => {
  while (
    node &&
    (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node))
  ) {
    node = node.expression;
  }
  return node;
};

/// Everything a file defines: {node, name, kind, container, optional}. `node` is the name.
export function definitions(source) {
  const found = [];
  const add = (node, kind, container, optional = false) => {
    if (!node) return;
    const owner = node.parent;
    let name;
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) name = node.text;
    else if (ts.isStringLiteral(node) || ts.isNumericLiteral(node)) {
      name = node.text;
      optional = true;
    } else if (ts.isComputedPropertyName(node)) {
      name = node.getText(source);
      optional = true;
    } else return;
    found.push({ node, name, kind, container: container.join("."), optional, owner });
  };
  const bound = (name, visit) => {
    if (ts.isIdentifier(name)) visit(name);
    else for (const part of name.elements) if (!ts.isOmittedExpression(part)) bound(part.name, visit);
  };
  // `level`: "module" for the top and namespaces, "block" below it, "function" inside functions.
  const visit = (node, container, level) => {
    const inner = (name) => (name && ts.isIdentifier(name) ? [...container, name.text] : container);
    const children = (names, next) => ts.forEachChild(node, (child) => visit(child, names, next));
    switch (node.kind) {
      case K.ExportAssignment:
        if (!node.isExportEquals) found.push({ node, name: "default", kind: "variable", container: "", optional: true });
        return children(container, level);
      case K.FunctionDeclaration:
        if (node.name) add(node.name, "function", container);
        else found.push({ node, name: "default", kind: "function", container: "", optional: true });
        return children(inner(node.name), "function");
      case K.ClassDeclaration:
        add(node.name, "class", container);
        return children(inner(node.name), "function");
      case K.InterfaceDeclaration:
        add(node.name, "interface", container);
        return children(inner(node.name), level);
      case K.TypeAliasDeclaration:
        add(node.name, "type", container);
        return children(inner(node.name), level);
      case K.EnumDeclaration:
        add(node.name, "enum", container);
        return children(inner(node.name), level);
      case K.EnumMember:
        return add(node.name, "variant", container);
      case K.ModuleDeclaration:
        // A name in quotes is that of a file, and `global` is not a name.
        add(node.name, "module", container, (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0);
        return children(inner(node.name), "module");
      case K.ModuleBlock:
      case K.VariableStatement:
      case K.VariableDeclarationList:
        return children(container, level);
      case K.MethodDeclaration:
        // Methods of object literals belong to nobody that has a name, or to a variable.
        add(node.name, "method", container, ts.isObjectLiteralExpression(node.parent));
        return children(inner(node.name), "function");
      case K.Constructor: {
        const at = node.getChildren(source).find((child) => child.kind === K.ConstructorKeyword);
        found.push({ node: at, name: "constructor", kind: "constructor", container: container.join("."), optional: true });
        for (const parameter of node.parameters) {
          if (ts.isParameterPropertyDeclaration(parameter, node)) add(parameter.name, "field", container);
        }
        return children(container, "function");
      }
      case K.GetAccessor:
      case K.SetAccessor:
        add(node.name, "field", container, ts.isObjectLiteralExpression(node.parent));
        return children(inner(node.name), "function");
      case K.PropertyDeclaration:
        add(node.name, "field", container);
        return children(inner(node.name), "function");
      case K.PropertySignature:
      case K.MethodSignature: {
        const owner = node.parent;
        const named = ts.isInterfaceDeclaration(owner) || (ts.isTypeLiteralNode(owner) && ts.isTypeAliasDeclaration(owner.parent));
        add(node.name, node.kind === K.PropertySignature ? "field" : "method", container, !named);
        return children(inner(node.name), level);
      }
      case K.PropertyAssignment:
        add(node.name, isFunction(unwrap(node.initializer)) ? "method" : "field", container, true);
        return children(inner(node.name), "function");
      case K.ShorthandPropertyAssignment:
        return add(node.name, "field", container, true);
      case K.VariableDeclaration: {
        const value = unwrap(node.initializer);
        const kind = isFunction(value) ? "function" : "variable";
        const list = node.parent;
        const isVar = ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.BlockScoped) === 0;
        // What is required is imported, not defined.
        const call = value && ts.isPropertyAccessExpression(value) ? value.expression : value;
        const required = call && ts.isCallExpression(call) && ts.isIdentifier(call.expression) && call.expression.text === "require";
        if (level === "module" && !ts.isCatchClause(list)) bound(node.name, (name) => add(name, kind, container, required));
        else if (isFunction(value) || (level === "block" && isVar)) bound(node.name, (name) => add(name, kind, container, true));
        return children(inner(node.name), level === "module" ? "block" : level);
      }
      case K.FunctionExpression:
      case K.ClassExpression:
        add(node.name, node.kind === K.ClassExpression ? "class" : "function", container, true);
        return children(inner(node.name), "function");
      case K.ArrowFunction:
        return children(container, "function");
      case K.BinaryExpression:
        if (node.operatorToken.kind === K.EqualsToken && ts.isPropertyAccessExpression(node.left)) {
          add(node.left.name, isFunction(unwrap(node.right)) ? "method" : "field", container, true);
        }
        return children(container, level === "module" ? "block" : level);
      case K.SourceFile:
        return children(container, "module");
      default:
        return children(container, level === "module" ? "block" : level);
    }
  };
  visit(source, [], "module");
  return found;
}

export function parse(root, file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function printDefinitions(root, language) {
  const out = [JSON.stringify(head(root, language))];
  for (const file of tracked(root, language)) {
    if (!fs.lstatSync(path.join(root, file)).isFile()) continue;
    const source = parse(root, file);
    if (source.parseDiagnostics.length > 0) {
      console.error(`${file}: ${ts.flattenDiagnosticMessageText(source.parseDiagnostics[0].messageText, " ")}`);
      continue;
    }
    out.push(JSON.stringify({ t: "file", path: file }));
    for (const { node, name, kind, container, optional } of definitions(source)) {
      const line = { t: "def", path: file, ...place(source, node.getStart(source)), name, kind, container };
      out.push(JSON.stringify(optional ? { ...line, optional } : line));
    }
  }
  process.stdout.write(out.join("\n") + "\n");
}

/// Whether a member is called through a type that its class or interface is one of.
function overrides(checker, node, name) {
  if (!node || (!ts.isClassElement(node) && !ts.isTypeElement(node))) return false;
  for (const clause of node.parent.heritageClauses ?? []) {
    for (const type of clause.types) if (checker.getTypeAtLocation(type).getProperty(name)) return true;
  }
  return false;
}

/// What each identifier means that is spelled like a definition, in the files below a folder, and where
/// the imports lead. The first program that has a file tells of it.
function printUses(root, folder, configs) {
  root = fs.realpathSync(root);
  const wanted = new Set(tracked(root, "typescript").filter((file) => file.startsWith(folder)));
  const inside = (file) => {
    const real = fs.realpathSync(file);
    const relative = path.relative(root, real);
    return relative.startsWith("..") || relative.includes("node_modules") ? null : relative;
  };
  const out = [JSON.stringify(head(root, "typescript"))];
  const names = new Set();
  const known = new Map();
  const programs = configs.map((config) => {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (d) => console.error(d.messageText) };
    const parsed = ts.getParsedCommandLineOfConfigFile(path.resolve(root, config), { noEmit: true }, host);
    return ts.createProgram(parsed.fileNames, parsed.options);
  });
  const files = [];
  for (const program of programs) {
    program.getTypeChecker(); // binds, which sets the parents of nodes
    for (const source of program.getSourceFiles()) {
      const file = inside(source.fileName);
      if (file === null || !wanted.delete(file)) continue;
      files.push([program, source, file]);
      const own = definitions(source);
      known.set(file, own);
      for (const { name, optional } of own) if (!optional) names.add(name);
    }
  }
  files.sort((a, b) => (a[2] < b[2] ? -1 : 1));
  for (const [program, source, file] of files) {
    out.push(JSON.stringify({ t: "file", path: file }));
    for (const { node, name, kind, container, optional, owner } of known.get(file)) {
      const end = owner ? place(source, owner.getEnd()).line : undefined;
      const flags = { ...(optional ? { optional } : {}), ...(overrides(program.getTypeChecker(), owner, name) ? { implicit: true } : {}) };
      out.push(JSON.stringify({ t: "def", path: file, ...place(source, node.getStart(source)), name, kind, container, end, ...flags }));
    }
    const checker = program.getTypeChecker();
    const declared = (symbol, to) => {
      if (!symbol) return false;
      if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      if (!symbol.declarations) return checker.isUnknownSymbol(symbol) ? false : true;
      for (const declaration of symbol.declarations) {
        const within = inside(declaration.getSourceFile().fileName);
        if (within === null) continue;
        // What has no name is found by its statement.
        const name = ts.getNameOfDeclaration(declaration) ?? declaration;
        const at = place(declaration.getSourceFile(), name.getStart(declaration.getSourceFile()));
        to.push([within, at.line, at.col]);
      }
      return true;
    };
    const meaning = (node) => {
      const to = [];
      let known = false;
      const parent = node.parent;
      const also = (symbol) => {
        if (declared(symbol, to)) known = true;
      };
      if (ts.isExportSpecifier(parent)) also(checker.getExportSpecifierLocalTargetSymbol(parent));
      if (ts.isShorthandPropertyAssignment(parent)) also(checker.getShorthandAssignmentValueSymbol(parent));
      if (ts.isBindingElement(parent) && !parent.propertyName && parent.name === node && ts.isObjectBindingPattern(parent.parent)) {
        also(checker.getTypeAtLocation(parent.parent).getProperty(node.text));
      }
      if (ts.isObjectLiteralElementLike(parent) && parent.name === node && ts.isObjectLiteralExpression(parent.parent)) {
        // As the language service does: of a union each type that has it, `undefined` aside.
        const type = checker.getContextualType(parent.parent);
        const types = type?.isUnion() ? type.types : [type];
        for (const one of types) also(one?.getProperty(node.text));
      }
      also(checker.getSymbolAtLocation(node));
      return known ? to : null;
    };
    // A member in quotes: `a["name"]`, `A["name"]`. Of a key of `Omit` and `Pick` nobody needs to know.
    const quoted = (node) => {
      if (!ts.isStringLiteral(node) || !names.has(node.text)) return undefined;
      const parent = node.parent;
      if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) {
        const symbol = checker.getSymbolAtLocation(node);
        const to = [];
        return symbol && declared(symbol, to) ? to : null;
      }
      if (!ts.isLiteralTypeNode(parent)) return undefined;
      if (ts.isIndexedAccessTypeNode(parent.parent) && parent.parent.indexType === parent) {
        const symbol = checker.getTypeFromTypeNode(parent.parent.objectType).getProperty(node.text);
        const to = [];
        return symbol && declared(symbol, to) ? to : null;
      }
      let above = parent.parent;
      while (above && ts.isUnionTypeNode(above)) above = above.parent;
      const named = above && ts.isTypeReferenceNode(above) && ts.isIdentifier(above.typeName) ? above.typeName.text : "";
      return named === "Omit" || named === "Pick" ? null : undefined;
    };
    const visit = (node) => {
      const inQuotes = quoted(node);
      if (inQuotes !== undefined) {
        out.push(JSON.stringify({ t: "use", path: file, ...place(source, node.getStart(source)), name: node.text, to: inQuotes }));
      }
      if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && names.has(node.text)) {
        let to = null;
        try {
          to = meaning(node);
        } catch (err) {
          console.error(`${file}: ${node.text}: ${err.message}`);
        }
        out.push(JSON.stringify({ t: "use", path: file, ...place(source, node.getStart(source)), name: node.text, to }));
      }
      const specifier =
        (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier
          ? node.moduleSpecifier
          : ts.isCallExpression(node) && node.expression.kind === K.ImportKeyword
            ? node.arguments[0]
            : ts.isExternalModuleReference(node)
              ? node.expression
              : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
                ? node.argument.literal
                : undefined;
      if (specifier && ts.isStringLiteral(specifier)) {
        const options = program.getCompilerOptions();
        const mode = ts.getModeForUsageLocation?.(source, specifier, options);
        const resolved = ts.resolveModuleName(specifier.text, source.fileName, options, ts.sys, undefined, undefined, mode).resolvedModule;
        const within = resolved ? inside(resolved.resolvedFileName) : null;
        out.push(JSON.stringify({ t: "import", path: file, line: place(source, specifier.getStart(source)).line, specifier: specifier.text, targets: within ? [within] : [] }));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  for (const file of wanted) console.error(`in no program: ${file}`);
  process.stdout.write(out.join("\n") + "\n");
}

const [command, root, argument, ...rest] = process.argv.slice(2);
if (command === "definitions") printDefinitions(root, argument ?? "typescript");
if (command === "uses") printUses(root, argument, rest);
