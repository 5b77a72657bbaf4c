// Definitions, uses and imports of a Kotlin repository, by the compiler's own trees (PSI) and what its
// front end resolved (FIR).
//
//     K=node_modules/kotlin-compiler/lib
//     java -cp $K/kotlin-compiler.jar org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect \
// -cp $K/kotlin-compiler.jar:$K/kotlin-stdlib.jar -d truth-kotlin KotlinTruth.kt
//     java -cp truth-kotlin:$K/kotlin-compiler.jar KotlinTruthKt CHECKOUT ARGUMENTS-OF-KOTLINC > uses.jsonl
//
// The arguments are what kotlinc would be given: folders of the checkout, `-cp`, `-Xfragments`. What does not
// compile for want of a library does not end it: the names of which it does not know the meaning are null. An
// `expect` and its `actual`s are one thing here, whichever of them the compiler was led to.
// The shapes of the lines are described in ../README.md.

@file:OptIn(SymbolInternals::class, DirectDeclarationsAccess::class)

import com.intellij.openapi.util.Disposer
import com.intellij.psi.PsiElement
import com.intellij.psi.PsiRecursiveElementVisitor
import java.io.File
import java.io.PrintStream
import java.nio.charset.StandardCharsets.UTF_8
import org.jetbrains.kotlin.KtPsiSourceElement
import org.jetbrains.kotlin.KtSourceElement
import org.jetbrains.kotlin.cli.common.arguments.K2JVMCompilerArguments
import org.jetbrains.kotlin.cli.common.arguments.parseCommandLineArguments
import org.jetbrains.kotlin.cli.common.messages.GroupingMessageCollector
import org.jetbrains.kotlin.cli.common.messages.MessageRenderer
import org.jetbrains.kotlin.cli.common.messages.PrintingMessageCollector
import org.jetbrains.kotlin.cli.pipeline.ArgumentsPipelineArtifact
import org.jetbrains.kotlin.cli.pipeline.jvm.JvmConfigurationPipelinePhase
import org.jetbrains.kotlin.cli.pipeline.jvm.JvmFrontendPipelinePhase
import org.jetbrains.kotlin.config.KotlinCompilerVersion
import org.jetbrains.kotlin.config.Services
import org.jetbrains.kotlin.fir.FirElement
import org.jetbrains.kotlin.fir.FirSession
import org.jetbrains.kotlin.fir.declarations.DirectDeclarationsAccess
import org.jetbrains.kotlin.fir.declarations.FirCallableDeclaration
import org.jetbrains.kotlin.fir.declarations.FirConstructor
import org.jetbrains.kotlin.fir.declarations.FirDeclaration
import org.jetbrains.kotlin.fir.declarations.FirFile
import org.jetbrains.kotlin.fir.declarations.FirResolvedImport
import org.jetbrains.kotlin.fir.expressions.FirCall
import org.jetbrains.kotlin.fir.expressions.FirResolvedQualifier
import org.jetbrains.kotlin.fir.expressions.impl.FirResolvedArgumentList
import org.jetbrains.kotlin.fir.psi
import org.jetbrains.kotlin.fir.references.FirResolvedErrorReference
import org.jetbrains.kotlin.fir.references.FirResolvedNamedReference
import org.jetbrains.kotlin.fir.references.FirThisReference
import org.jetbrains.kotlin.fir.resolve.providers.symbolProvider
import org.jetbrains.kotlin.fir.resolve.toSymbol
import org.jetbrains.kotlin.fir.scopes.impl.typeAliasConstructorInfo
import org.jetbrains.kotlin.fir.symbols.FirBasedSymbol
import org.jetbrains.kotlin.fir.symbols.SymbolInternals
import org.jetbrains.kotlin.fir.symbols.impl.FirCallableSymbol
import org.jetbrains.kotlin.fir.symbols.impl.FirClassLikeSymbol
import org.jetbrains.kotlin.fir.symbols.impl.FirClassSymbol
import org.jetbrains.kotlin.fir.types.ConeClassLikeType
import org.jetbrains.kotlin.fir.types.ConeErrorType
import org.jetbrains.kotlin.fir.types.ConeKotlinType
import org.jetbrains.kotlin.fir.types.FirErrorTypeRef
import org.jetbrains.kotlin.fir.types.FirResolvedTypeRef
import org.jetbrains.kotlin.fir.types.FirTypeRef
import org.jetbrains.kotlin.fir.types.abbreviatedTypeOrSelf
import org.jetbrains.kotlin.fir.types.isArrayType
import org.jetbrains.kotlin.fir.types.type
import org.jetbrains.kotlin.fir.unwrapFakeOverrides
import org.jetbrains.kotlin.fir.unwrapSubstitutionOverrides
import org.jetbrains.kotlin.fir.visitors.FirVisitorVoid
import org.jetbrains.kotlin.kdoc.psi.api.KDoc
import org.jetbrains.kotlin.lexer.KtTokens
import org.jetbrains.kotlin.name.ClassId
import org.jetbrains.kotlin.platform.jvm.JvmPlatforms
import org.jetbrains.kotlin.psi.*
import org.jetbrains.kotlin.util.PerformanceManagerImpl

data class Place(val path: String, val line: Int, val col: Int)

class Definition(val place: Place, val name: String, val kind: String, val container: String, val end: Int,
                 val implicit: Boolean)

val out = PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out).buffered(1 shl 16), false, UTF_8)

fun main(args: Array<String>) {
    val root = File(args[0]).canonicalFile
    val arguments = K2JVMCompilerArguments()
    parseCommandLineArguments(args.drop(1) + "-Xuse-fir-lt=false", arguments)
    // Errors of the code go elsewhere; these are of the arguments.
    val said = PrintingMessageCollector(System.err, MessageRenderer.WITHOUT_PATHS, false)
    val messages = GroupingMessageCollector(said, false, false)
    val performance = PerformanceManagerImpl(JvmPlatforms.defaultJvmPlatform, "truth")
    val configured = JvmConfigurationPipelinePhase.executePhase(
        ArgumentsPipelineArtifact(arguments, Services.EMPTY, Disposer.newDisposable(), messages, performance))
    messages.flush()
    val analysed = JvmFrontendPipelinePhase.executePhase(configured!!)!!
    println("head", "language" to "kotlin", "repo" to root.name, "commit" to git(root, "rev-parse", "HEAD").trim(),
        "oracle" to "kotlinc ${KotlinCompilerVersion.VERSION}")
    val all = analysed.frontendOutput.outputs.flatMap { module -> module.fir.map { Source(root, it, module.session) } }
    val truth = Truth(all)
    all.sortedBy { it.path }.forEach(truth::write)
    out.flush()
    System.exit(0)
}

/** A file and the places in it. */
class Source(root: File, val fir: FirFile, val session: FirSession) {
    val psi = fir.psi as KtFile
    val path: String = File(fir.sourceFile!!.path!!).canonicalFile.relativeTo(root).path
    private val text: String = psi.text
    private val starts = text.indices.filter { it == 0 || text[it - 1] == '\n' }.toIntArray()

    fun line(at: Int): Int {
        val found = starts.binarySearch(at)
        return if (found >= 0) found + 1 else -found - 1
    }

    fun place(at: Int): Place {
        val line = line(at)
        return Place(path, line, text.substring(starts[line - 1], at).toByteArray(UTF_8).size)
    }
}

/** What the whole program declares, and what its names mean. */
class Truth(private val sources: List<Source>) {
    private val definitions = sources.associateWith { mutableListOf<Definition>() }
    private val places = HashMap<PsiElement, Place>()
    private val names = HashSet<String>()

    /** Declarations that stand for each other: an `expect` and what is `actual` of it. */
    private val twins = HashMap<String, MutableSet<Place>>()
    private val twinOf = HashMap<Place, String>()
    private val files = HashMap<String, MutableSet<String>>()

    init {
        for (source in sources) declare(source)
    }

    private fun declare(source: Source) = source.psi.accept(object : PsiRecursiveElementVisitor() {
        override fun visitElement(element: PsiElement) {
            if (element is KDoc) return
            if (element is KtNamedDeclaration) add(source, element)
            super.visitElement(element)
        }
    })

    private fun add(source: Source, declaration: KtNamedDeclaration) {
        val name = declaration.nameIdentifier ?: return
        val kind = kind(declaration) ?: return
        val place = source.place(name.textRange.startOffset)
        val spelled = declaration.name ?: return
        val around = generateSequence(declaration.parent) { it.parent }.mapNotNull(::called).toList().reversed()
        definitions.getValue(source).add(Definition(place, spelled, kind, around.joinToString("."),
            source.line(declaration.textRange.endOffset), implicit(declaration)))
        names.add(spelled)
        places[declaration] = place
        if (declaration.parent is KtFile) {
            files.getOrPut(source.psi.packageFqName.asString()) { HashSet() }.add(source.path)
        }
        val split = generateSequence<PsiElement>(declaration) { it.parent }.any {
            it is KtModifierListOwner && (it.hasModifier(KtTokens.EXPECT_KEYWORD) || it.hasModifier(KtTokens.ACTUAL_KEYWORD))
        }
        if (split) {
            val extended = (declaration as? KtCallableDeclaration)?.receiverTypeReference?.text.orEmpty()
            val key = (listOf(source.psi.packageFqName.asString()) + around + extended + spelled).joinToString("/")
            twins.getOrPut(key) { LinkedHashSet() }.add(place)
            twinOf[place] = key
        }
    }

    private fun called(outer: PsiElement): String? = when (outer) {
        is KtObjectDeclaration -> outer.name ?: "<anonymous>"
        is KtClassOrObject, is KtNamedFunction -> (outer as KtNamedDeclaration).name ?: "<anonymous>"
        else -> null
    }

    private fun kind(declaration: KtNamedDeclaration): String? {
        val member = declaration.parent is KtClassBody
        return when (declaration) {
            is KtEnumEntry -> "variant"
            is KtClass -> if (declaration.isInterface()) "interface" else if (declaration.isEnum()) "enum" else "class"
            is KtObjectDeclaration -> "class"
            is KtNamedFunction -> if (member) "method" else "function"
            is KtTypeAlias -> "type"
            is KtProperty -> if (member) "field" else if (declaration.isTopLevel) "variable" else null
            is KtParameter -> if (declaration.hasValOrVar()) "field" else null
            else -> null
        }
    }

    /** What may be called without being named. */
    private fun implicit(declaration: KtNamedDeclaration): Boolean =
        declaration.annotationEntries.isNotEmpty() || declaration.name == "main" ||
            declaration.hasModifier(KtTokens.OVERRIDE_KEYWORD) || declaration.hasModifier(KtTokens.OPERATOR_KEYWORD)

    /** Where a declaration is, if it is one of the repository; nothing when it is one of a library. */
    private fun whereabouts(symbol: FirBasedSymbol<*>): Set<Place> {
        var found: FirDeclaration = symbol.fir
        if (found is FirConstructor) {
            found.typeAliasConstructorInfo?.let { return whereabouts(it.typeAliasSymbol) }
        }
        if (found is FirCallableDeclaration) found = found.unwrapFakeOverrides().unwrapSubstitutionOverrides()
        var psi: PsiElement? = found.source?.psi
        if (found is FirConstructor) {
            while (psi != null && psi !is KtClassOrObject) psi = psi.parent
            val companion = psi as? KtObjectDeclaration
            if (companion != null && companion.nameIdentifier == null) psi = null
        }
        val place = places[psi] ?: return emptySet()
        return twinOf[place]?.let { twins.getValue(it) } ?: setOf(place)
    }

    /** Places that a name at an offset may mean; null when the compiler does not know. */
    private inner class Meanings(val source: Source) : FirVisitorVoid() {
        val found = HashMap<Int, MutableSet<Place>>()
        val unknown = HashSet<Int>()

        fun mean(name: KtSimpleNameExpression, places: Set<Place>) {
            found.getOrPut(name.textRange.startOffset) { LinkedHashSet() }.addAll(places)
        }

        override fun visitElement(element: FirElement) {
            if (element is FirResolvedNamedReference) named(element)
            if (element is FirThisReference) labelled(element)
            if (element is FirResolvedQualifier) {
                element.qualifierSymbol?.let { qualified(element.source.psi as? KtElement, it) }
            }
            if (element is FirTypeRef) type(element)
            if (element is FirCall) arguments(element)
            element.acceptChildren(this)
        }

        private fun named(reference: FirResolvedNamedReference) {
            val name = reference.source.psi as? KtSimpleNameExpression ?: return
            if (reference is FirResolvedErrorReference) {
                unknown.add(name.textRange.startOffset)
            } else {
                val symbol = reference.resolvedSymbol
                // `invoke` and the like stand at the name of what they are called on.
                val spelled = (symbol as? FirCallableSymbol<*>)?.name?.asString()
                val constructs = symbol.fir is FirConstructor
                if (constructs || spelled == name.getReferencedName() || found[name.textRange.startOffset] == null) {
                    mean(name, whereabouts(symbol))
                }
            }
        }

        private fun labelled(reference: FirThisReference) {
            val named = (reference.source.psi as? KtThisExpression)?.getTargetLabel() ?: return
            reference.boundSymbol?.let { mean(named, whereabouts(it)) }
        }

        /** The names of a path that ends in a class, from its end. */
        private fun qualified(written: KtElement?, symbol: FirClassLikeSymbol<*>) {
            var at: KtElement? = written
            var of: FirClassLikeSymbol<*>? = symbol
            while (at != null) {
                val (name, before) = when (val one = at) {
                    is KtDotQualifiedExpression -> one.selectorExpression to one.receiverExpression
                    is KtUserType -> one.referenceExpression to one.qualifier
                    else -> one to null
                }
                if (name is KtSimpleNameExpression) {
                    mean(name, of?.let(::whereabouts) ?: emptySet())
                } else if (name is KtCallExpression) {
                    return
                }
                of = of?.classId?.outerClassId?.let { source.session.symbolProvider.getClassLikeSymbolByClassId(it) }
                at = before
            }
        }

        private fun type(reference: FirTypeRef) {
            if (reference !is FirResolvedTypeRef || reference is FirErrorTypeRef) return
            val element = when (val psi = reference.source.psi) {
                is KtTypeReference -> psi.typeElement
                is KtTypeElement -> psi
                else -> null
            }
            type(element, reference.coneType)
        }

        private fun type(element: KtTypeElement?, resolved: ConeKotlinType) {
            val cone = resolved.abbreviatedTypeOrSelf
            when (element) {
                is KtNullableType -> type(element.innerType, cone)
                is KtFunctionType -> {
                    val written = listOfNotNull(element.receiverTypeReference) +
                        element.parameters.map { it.typeReference } + element.returnTypeReference
                    if (written.size == cone.typeArguments.size) {
                        written.zip(cone.typeArguments.toList()).forEach { (one, of) -> argument(one, of.type) }
                    }
                }
                is KtUserType -> {
                    if (cone is ConeErrorType) return
                    if (cone !is ConeClassLikeType) {
                        element.referenceExpression?.let { mean(it, emptySet()) }
                        return
                    }
                    val symbol = cone.lookupTag.toSymbol(source.session) ?: return
                    // `vararg names: Name` is written by its element.
                    if (symbol.classId.shortClassName.asString() != element.referencedName) {
                        cone.typeArguments.singleOrNull()?.type?.let { if (cone.isArrayType) type(element, it) }
                        return
                    }
                    qualified(element, symbol)
                    element.typeArgumentsAsTypes.zip(cone.typeArguments.toList()).forEach { (one, of) -> argument(one, of.type) }
                }
                else -> {}
            }
        }

        private fun argument(written: KtTypeReference?, resolved: ConeKotlinType?) {
            if (written != null && resolved != null) type(written.typeElement, resolved)
        }

        /** `name = value` in a call names a parameter, which may be a property as well. */
        private fun arguments(call: FirCall) {
            val mapping = (call.argumentList as? FirResolvedArgumentList)?.mapping ?: return
            for ((value, parameter) in mapping) {
                var psi: PsiElement? = value.source.psi
                val range = psi?.textRange
                while (psi != null && psi !is KtValueArgument && (psi.textRange == range || psi is KtLambdaExpression)) {
                    psi = psi.parent
                }
                val name = (psi as? KtValueArgument)?.getArgumentName()?.referenceExpression ?: continue
                mean(name, whereabouts(parameter.symbol))
            }
        }
    }

    fun write(source: Source) {
        println("file", "path" to source.path)
        for (d in definitions.getValue(source)) {
            val more = if (d.implicit) arrayOf("implicit" to true) else arrayOf()
            println("def", "path" to d.place.path, "line" to d.place.line, "col" to d.place.col, "name" to d.name,
                "kind" to d.kind, "container" to d.container, "end" to d.end, *more)
        }
        val meanings = Meanings(source)
        source.fir.accept(meanings)
        source.psi.importDirectives.forEach { imported(source, it, meanings) }
        source.psi.packageDirective?.accept(object : PsiRecursiveElementVisitor() {
            override fun visitElement(element: PsiElement) {
                if (element is KtSimpleNameExpression) meanings.mean(element, emptySet())
                super.visitElement(element)
            }
        })
        source.psi.accept(object : PsiRecursiveElementVisitor() {
            override fun visitElement(element: PsiElement) {
                if (element is KDoc) return
                // An entry of an enum calls the constructor without naming it.
                val isSpelled = element is KtSimpleNameExpression && element.textLength > 0
                if (isSpelled && (element as KtSimpleNameExpression).getReferencedName() in names) use(source, element, meanings)
                super.visitElement(element)
            }
        })
    }

    private fun use(source: Source, name: KtSimpleNameExpression, meanings: Meanings) {
        val at = name.textRange.startOffset
        val to = if (at in meanings.unknown) null else meanings.found[at]?.map { listOf(it.path, it.line, it.col) }
        if (to == null && System.getenv("TRUTH_UNKNOWN") != null) {
            System.err.println("${source.path}:${source.line(at)} ${name.text} ${name.parent.javaClass.simpleName} ${at in meanings.unknown}")
        }
        val place = source.place(at)
        println("use", "path" to place.path, "line" to place.line, "col" to place.col, "name" to name.getReferencedName(), "to" to to)
    }

    /** What an import names: a class, or all functions and properties of that name. */
    private fun imported(source: Source, written: KtImportDirective, meanings: Meanings) {
        val resolved = source.fir.imports.firstOrNull { it.source.psi == written } as? FirResolvedImport
        val targets = HashSet<String>()
        var path = written.importedReference
        if (resolved != null) {
            val provider = source.session.symbolProvider
            val outer = resolved.resolvedParentClassId?.let { provider.getClassLikeSymbolByClassId(it) }
            if (resolved.isAllUnder) {
                if (outer == null) targets.addAll(files[resolved.packageFqName.asString()].orEmpty())
                else whereabouts(outer).mapTo(targets) { it.path }
            } else {
                val name = resolved.importedName!!
                val parent = resolved.resolvedParentClassId
                val id = parent?.createNestedClassId(name) ?: ClassId(resolved.packageFqName, name)
                val symbols = mutableListOf<FirBasedSymbol<*>>()
                provider.getClassLikeSymbolByClassId(id)?.let(symbols::add)
                if (parent == null) {
                    symbols.addAll(provider.getTopLevelCallableSymbols(resolved.packageFqName, name))
                } else if (outer is FirClassSymbol) {
                    outer.fir.declarations.filterIsInstance<FirCallableDeclaration>()
                        .filter { (it.symbol.callableId?.callableName) == name }.mapTo(symbols) { it.symbol }
                }
                val found = symbols.flatMapTo(LinkedHashSet(), ::whereabouts)
                found.mapTo(targets) { it.path }
                val last = (path as? KtDotQualifiedExpression)?.selectorExpression ?: path
                if (last is KtSimpleNameExpression && symbols.isNotEmpty()) meanings.mean(last, found)
                path = (path as? KtDotQualifiedExpression)?.receiverExpression
            }
            if (outer != null) {
                names(outer, path, meanings)
            } else {
                var rest = path
                while (rest != null) {
                    val last = (rest as? KtDotQualifiedExpression)?.selectorExpression ?: rest
                    (last as? KtSimpleNameExpression)?.let { meanings.mean(it, emptySet()) }
                    rest = (rest as? KtDotQualifiedExpression)?.receiverExpression
                }
            }
        }
        println("import", "path" to source.path, "line" to source.line(written.textRange.startOffset),
            "specifier" to written.importedFqName?.asString().orEmpty() + if (written.isAllUnder) ".*" else "",
            "targets" to targets.sorted())
    }

    private fun names(outer: FirClassLikeSymbol<*>, path: KtExpression?, meanings: Meanings) {
        var of: FirClassLikeSymbol<*>? = outer
        var at = path
        while (at != null) {
            val last = (at as? KtDotQualifiedExpression)?.selectorExpression ?: at
            (last as? KtSimpleNameExpression)?.let { meanings.mean(it, of?.let(::whereabouts) ?: emptySet()) }
            of = of?.classId?.outerClassId?.let { meanings.source.session.symbolProvider.getClassLikeSymbolByClassId(it) }
            at = (at as? KtDotQualifiedExpression)?.receiverExpression
        }
    }
}

val KtSourceElement?.psi: PsiElement? get() = (this as? KtPsiSourceElement)?.psi

fun println(kind: String, vararg fields: Pair<String, Any?>) {
    out.println(listOf("t" to kind, *fields).joinToString(",", "{", "}") { (key, value) -> quote(key) + ":" + json(value) })
}

fun json(value: Any?): String = when (value) {
    null -> "null"
    is String -> quote(value)
    is List<*> -> value.joinToString(",", "[", "]", transform = ::json)
    else -> value.toString()
}

fun quote(text: String): String = buildString {
    append('"')
    for (c in text) {
        if (c == '"' || c == '\\') append('\\').append(c)
        else if (c < ' ') append(String.format("\\u%04x", c.code))
        else append(c)
    }
    append('"')
}

fun git(root: File, vararg args: String): String {
    val process = ProcessBuilder("git", "-C", root.path, *args).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    return String(process.inputStream.readAllBytes(), UTF_8)
}
