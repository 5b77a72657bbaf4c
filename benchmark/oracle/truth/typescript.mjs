// Definitions, uses and imports of a TypeScript or JavaScript repository, by the compiler's own
// language service.
//
//     node typescript.mjs definitions CHECKOUT [typescript|javascript]
//     node typescript.mjs references CHECKOUT FOLDER
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
    let name;
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) name = node.text;
    else if (ts.isStringLiteral(node) || ts.isNumericLiteral(node)) {
      name = node.text;
      optional = true;
    } else if (ts.isComputedPropertyName(node)) {
      name = node.getText(source);
      optional = true;
    } else return;
    found.push({ node, name, kind, container: container.join("."), optional });
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

const [command, root, argument] = process.argv.slice(2);
if (command === "definitions") printDefinitions(root, argument ?? "typescript");
