//! Members that objects of JavaScript's own library have, as their prototypes list them, those of Node's, and of a page
//! those that code calls most. Properties are among them, which may hold functions.

/// Their names, sorted: who calls one on an object of unknown type need not mean what the repository defines.
pub(super) const METHODS: &[&[u8]] = byte_words!(
    "abort aborted abs acos acosh add addEventListener addListener addRange addTrailers address after all
     allSettled alloc allocUnsafe allocUnsafeSlow anchor and animate any append appendChild appendHeader apply
     arc arch argv argv0 arrayBuffer asin asinh assert assign assignSocket asyncDispose asyncIterator at atan
     atan2 atanh attachShadow attribute autoClose before beginPath big bind binding blink blob blur body
     bodyUsed bold bubbles buffer bufferSize byteLength byteOffset bytes bytesRead bytesWritten cache call
     cancel cancelAnimationFrame cancelBubble cancelable catch cbrt ceil charAt charCodeAt chdir checkValidity
     clear clearLine clearMarks clearMeasures clearRect clearResourceTimings clearTimeout click clone cloneNode
     close closeAllConnections closeIdleConnections closed closest clz32 codePointAt columns compare
     compareExchange compile compose composed composedPath concat config connect connection construct
     constructor contains context copy copyBytesFrom copyWithin cork cos cosh count countReset cpuUsage create
     createDocumentFragment createElement createElementNS createEvent createRange createTask createTextNode
     credentials currentTarget cwd debug debugPort decode defaultPrevented defineProperties defineProperty
     delete deleteProperty description destination destroy destroySoon destroyed detachSocket digest dir
     disconnect dispatchEvent dispose dlopen domain dotAll drawImage drop duplex emit emitWarning encode
     encodeInto encoding end endsWith entries env equals error errored eventLoopUtilization eventNames
     eventPhase every exchange exec execArgv execPath exit exitCode exitFullscreen exp expm1 fatal features fill
     fillRect fillText filter finally find findIndex findLast findLastIndex fixed flags flat flatMap floor
     flushHeaders focus fontcolor fontsize for forEach formData format formatRange formatRangeToParts
     formatToParts freeze from fromCharCode fromCodePoint fromEntries fround get getActiveResourcesInfo getAll
     getAttribute getBigInt64 getBigUint64 getBoundingClientRect getBuiltinModule getClientRects
     getComputedStyle getConnections getContext getCursorPos getDate getDay getElementById
     getElementsByClassName getElementsByTagName getEntries getEntriesByName getEntriesByType getFloat32
     getFloat64 getFullYear getHeader getHeaderNames getHeaders getHeapSnapshot getHours getImageData getInt16
     getInt32 getInt8 getItem getMaxListeners getMilliseconds getMinutes getMonth getOwnPropertyNames
     getOwnPropertySymbols getPrompt getPropertyValue getPrototypeOf getRawHeaderNames getReader getSeconds
     getSelection getSetCookie getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours
     getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getUint16 getUint32 getUint8 getWriter getYear
     getegid geteuid getgid getgroups getuid global group groupCollapsed groupEnd has hasAttribute hasHeader
     hasIndices hasInstance hasOwn hasOwnProperty hasRef hash headers headersDistinct headersSent host hostname
     href hrtime hypot ignoreBOM ignoreCase imul includes indexOf info initEvent initgroups
     insertAdjacentElement insertAdjacentHTML insertBefore inspect integrity is isArray isBlockDevice isBuffer
     isCharacterDevice isConcatSpreadable isDirectory isEncoding isExtensible isFIFO isFile isFinite isFrozen
     isHistoryNavigation isInteger isLockFree isNaN isPaused isPrototypeOf isReloadNavigation isSafeInteger
     isSealed isSocket isSymbolicLink isTrusted isWellFormed italics item iterator join json keepalive keyFor
     keys kill lastIndexOf length lineTo link listen listenerCount listeners listening load loadEnvFile
     localAddress localFamily localPort localeCompare locked log log10 log1p log2 map mark markResourceTiming
     match matchAll matchMedia matches max maxByteLength measure measureText memoryUsage message method min mode
     moduleLoadList moveTo multiline name namedItem next nextTick nodeTiming normalize notify now observe of off
     offset ok on onSocket onabort once onmessage onmessageerror open openStdin or origin ownKeys padEnd
     padStart parent parse parseFloat parseInt password pathname pause pending pid pipe pipeThrough pipeTo
     platform play poolSize pop port postMessage pow ppid prepend prependListener prependOnceListener
     preventDefault preventExtensions profile profileEnd prompt propertyIsEnumerable protocol prototype push
     pushState putImageData querySelector querySelectorAll question race random raw rawListeners read readInt8
     readUInt8 readUint8 readable readableAborted readableBuffer readableDidRead readableEncoding readableEnded
     readableFlowing readableHighWaterMark readableLength readableObjectMode readyState reallyExit reason
     redirect redirected reduce reduceRight ref referrer referrerPolicy reject release remoteAddress
     remoteFamily remotePort remove removeAllListeners removeAllRanges removeAttribute removeChild
     removeEventListener removeHeader removeItem removeListener removeProperty repeat replace replaceAll
     replaceChild replaceChildren replaceState replaceWith report reportValidity requestAnimationFrame
     requestFullscreen requestSubmit resetAndDestroy resizable resize resolve resolvedOptions resourceLimits
     resourceUsage respondWith restore resume return returnValue reverse rotate round save scale scrollBy
     scrollIntoView scrollTo seal search searchParams select send set setAttribute setBigInt64 setBigUint64
     setCustomValidity setDate setDefaultEncoding setEncoding setFloat32 setFloat64 setFullYear setHeader
     setHeaders setHours setInt16 setInt32 setInt8 setItem setKeepAlive setMaxListeners setMilliseconds
     setMinutes setMonth setNoDelay setPrompt setProperty setPrototypeOf setSeconds setSelectionRange
     setSocketKeepAlive setSourceMapsEnabled setTime setTimeout setUTCDate setUTCFullYear setUTCHours
     setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setUint16 setUint32 setUint8 setYear setegid
     seteuid setgid setgroups setuid shift showModal sign signal sin sinh size slice small some sort source
     sourceMapsEnabled spawn species splice split sqrt srcElement start startsWith status statusCode
     statusMessage statusText stderr stdin stdout sticky stopPropagation store stream strike stringify stroke
     strokeRect sub subarray submit substr substring sup swap16 swap32 swap64 table take takeRecords tan tanh
     target tee terminate test text then threadId throw throwIfAborted time timeEnd timeLog timeOrigin timeStamp
     timerify title toArray toBlob toDataURL toDateString toExponential toFixed toGMTString toISOString toJSON
     toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString toLocaleUpperCase toLowerCase
     toPrecision toPrimitive toReversed toSorted toSpliced toString toStringTag toTimeString toUTCString
     toUpperCase toWellFormed toggleAttribute trace trailers trailersDistinct translate trim trimEnd trimLeft
     trimRight trimStart trunc type umask uncork unicode unicodeSets unobserve unpipe unref unscopables unshift
     update uptime url username valueOf values version versions wait waitAsync waitUntil warn with wrap writable
     writableAborted writableBuffer writableCorked writableEnded writableFinished writableHighWaterMark
     writableLength writableNeedDrain writableObjectMode write writeContinue writeEarlyHints writeHead
     writeHeader writeInt8 writeProcessing writeUInt8 writeUint8 writeln xor"
);

/// Functions that are there by themselves, sorted: those of the language, with its own words, of a page, of workers and of
/// what runs on servers, what runners of tests call, and the macros of Vue and Svelte. What a page or a framework adds beside
/// them nobody can list.
const FUNCTIONS: &[&[u8]] = byte_words!(
    "$bindable $derived $effect $host $inspect $props $state AbortController AbortSignal
     AbsoluteOrientationSensor Accelerometer ActiveXObject After AfterAll AfterStep AfterSuite AggregateError
     AmbientLightSensor And Animation AnimationEffect AnimationTimeline App Array ArrayBuffer
     AsyncDisposableStack AsyncFunction AsyncIterator Atomics Attr Audio AudioData AudioDecoder AudioEncoder
     Background BackgroundFetchManager BarcodeDetector BatteryManager Before BeforeAll BeforeStep BeforeSuite
     BeforeUnloadEvent Behavior BigInt BigInt64Array BigUint64Array Blob Bluetooth Boolean BroadcastChannel
     Buffer Bun But ByteLengthQueuingStrategy CDATASection Cache CacheStorage CanvasGradient CanvasPattern
     CanvasRenderingContext2D CaptureController CharacterData Client Clients Clipboard ClipboardItem
     CloseWatcher Comment Component Components CookieStore CountQueuingStrategy Credential CredentialsContainer
     CropTarget Crypto CryptoKey CustomElementRegistry CustomEvent CustomStateSet Cypress DOMException
     DOMImplementation DOMMatrix DOMMatrixReadOnly DOMParser DOMPoint DOMPointReadOnly DOMQuad DOMRect
     DOMRectList DOMRectReadOnly DOMStringList DOMStringMap DOMTokenList Data DataTable DataTransfer
     DataTransferItem DataTransferItemList DataView Date Deno DeviceMotionEvent DigestStream DisposableStack
     Document DocumentFragment DocumentTimeline DocumentType DurableObject EdgeRuntime Element ElementInternals
     EncodedAudioChunk EncodedVideoChunk Error EvalError Event EventSource EventTarget Examples ExecutionContext
     External EyeDropper Feature FederatedCredential Fence File FileList FileReader FileReaderSync FileSystem
     FinalizationRegistry FixedLengthStream Float16Array Float32Array Float64Array FontFace FontFaceSet FormData
     Function GM_addStyle GM_getValue GM_registerMenuCommand GM_setValue GM_xmlhttpRequest Gamepad GamepadButton
     GeneratorFunction Geolocation Given GravitySensor Gyroscope HID HTMLRewriter Headers Highlight
     HighlightRegistry History Hz I IdleDeadline IdleDetector Image ImageBitmap ImageBitmapRenderingContext
     ImageCapture ImageData ImageDecoder Ink InputDeviceInfo Int16Array Int32Array Int8Array Intl Iterator JSON
     Keyboard KeyframeEffect LanguageDetector LanguageModel LaunchQueue LinearAccelerationSensor Location Lock
     LockManager Magnetometer Map Math MathMLElement MediaCapabilities MediaDevices MediaMetadata MediaRecorder
     MediaSession MediaSource MediaStreamTrackGenerator MediaStreamTrackProcessor MessageChannel MessagePort
     MimeType MutationRecord NDEFMessage NDEFReader NamedNodeMap NavigationPreloadManager Navigator Node
     NodeFilter NodeIterator NodeList Notification Number Object Observable OffscreenCanvas
     OffscreenCanvasRenderingContext2D Option OverconstrainedError Page PasswordCredential Path2D PaymentRequest
     PaymentResponse Performance PerformanceEntry PerformanceMark PerformanceMeasure PeriodicWave
     PermissionStatus Permissions PictureInPictureWindow Plugin PluginArray Presentation PresentationRequest
     ProcessingInstruction Profiler Promise Proxy PublicKeyCredential PushManager PushSubscription RadioNodeList
     Range RangeError ReadableStreamBYOBReader ReadableStreamDefaultController ReadableStreamDefaultReader
     ReferenceError RegExp RelativeOrientationSensor ReportBody Request Response RestrictionTarget Rewriter Rule
     Sanitizer Scenario ScheduledController Scheduler Screen ScrollTimeline Selection Sensor Sentry Serial
     ServiceWorker ServiceWorkerContainer ServiceWorkerRegistration Set ShadowRealm ShadowRoot SharedArrayBuffer
     SharedWorker SourceBuffer SpeechGrammarList SpeechRecognition SpeechSynthesis SpeechSynthesisUtterance
     StaticRange Storage StorageManager String Stripe StyleSheet StyleSheetList Subscriber SubtleCrypto
     Summarizer SuppressedError Symbol SyncManager SyntaxError TaskController TaskSignal Temporal Text
     TextDecoder TextEncoder TextMetrics TextTrack TextTrackCue TextTrackList Then TimeRanges Touch TouchList
     TransformStreamDefaultController Translator TreeWalker TrustedHTML TrustedScript TrustedScriptURL
     TrustedTypePolicy TypeError URIError URL URLPattern URLSearchParams USB Uint16Array Uint32Array Uint8Array
     Uint8ClampedArray UserActivation VTTCue VTTRegion ValidityState VideoColorSpace VideoDecoder VideoEncoder
     VideoFrame VideoPlaybackQuality ViewTimeline VisualViewport WakeLock WakeLockSentinel WeakMap WeakRef
     WeakSet WebAssembly WebSocket WebSocketPair WebTransport WebTransportError When Window Worker Worklet
     WritableStreamDefaultController WritableStreamDefaultWriter Writer XMLDocument XMLHttpRequest
     XMLHttpRequestUpload XMLSerializer XPathEvaluator XPathExpression XPathResult XSLTProcessor Zone
     acquireNotebookRendererApi acquireVsCodeApi actor addEventListener addRoute after afterAll afterEach alert
     arguments artifacts as assert assertType async asyncTest atob await before beforeAll beforeEach bench
     benchmark blur break browser btoa by cancelAnimationFrame cancelIdleCallback cancelVideoFrameCallback
     captureEvents case catch chai class clearImmediate clearInterval clearTimeout close codecept confirm const
     context continue contract cookieStore createBackground createImageBitmap cy dataLayer debugger decodeURI
     decodeURIComponent deepEqual default define defineEmits defineExpose defineModel defineNuxtConfig
     defineOptions definePage definePageMeta defineProps defineSlots delete describe dispatchEvent do each
     element else encodeURI encodeURIComponent enum equal escape ethereum eval expect expectAssert
     expectAssignable expectAsync expectError expectNotType expectType expectTypeOf export extends fail fbq
     fcontext fdescribe fetch fetchLater finally find fit fixture focus for from fspecify function ga gc get
     getApp getComputedStyle getCurrentPages getScreenDetails getSelection getSpecProperty grecaptcha gtag
     hcaptcha hopeThat if import importScripts importmap in inject instanceof interface isFinite isNaN it jQuery
     jasmine jest let load locate matchMedia module moveBy moveTo navigate new notEqual of ok onTestFailed
     onTestFinished open openDatabase package parseFloat parseInt pause pending postMessage print prompt
     protractor queryLocalFonts queueMicrotask quit read readFile registerAnimator registerLayout registerPaint
     registerProcessor releaseEvents removeEventListener reportError requestAnimationFrame requestFileSystem
     requestIdleCallback requestVideoFrameCallback require requireActual requireMock requireNativeComponent
     resizeBy resizeTo retryTo return run satisfies scroll scrollBy scrollTo secret session set setImmediate
     setInterval setSpecProperty setSuiteProperty setTimeout setup should showDirectoryPicker showModalDialog
     showOpenFilePicker showSaveFilePicker sinon skipWaiting specify spyOn spyOnAllFunctions
     spyOnGlobalErrorsAsync spyOnProperty static step stop strictEqual structuredClone suite suiteSetup
     suiteTeardown super switch teardown template test this throw throwUnless throwUnlessAsync try tryTo
     turnstile typeof unescape using var vi void webkitRequestAnimationFrame while with withDefaults within
     write wx xScenario xcontext xdescribe xit xspecify xtest yield ytdl"
);

/// How names begin of what pages have of one kind, before a capital or a digit.
const FAMILIES: &[&[u8]] = byte_words!(
    "AI Analyser Audio Biquad Bluetooth CSS Canvas Channel Constant DOM Event FileSystem GPU HID HTML IDB IIR Idle Image Ink
     MIDI MathML Media Navigation Offscreen Oscillator Payment Performance Presentation Push RTC Readable Report SQL SVG
     Scheduler Sensor Service Shadow Shared Speech Storage Style Text Trusted USB Video View WebGL WebGL2 WebGPU WebSocket
     WebTransport Window Worker Writable XML XPath XR"
);
/// How such names end.
const ENDINGS: &[&[u8]] = byte_words!(
    "Array Channel Collection Context Decoder Element Encoder Entry Error Event Exception Handle List Node Observer Parser
     Source Stream Target Track Transport Worker"
);
/// How functions are called that browsers tried first, and what compilers put in.
const PREFIXES: &[&[u8]] = byte_words!("moz ms webkit");

/// Whether a function or a type is there by itself, or is called so that it may be.
pub(super) fn is_there(name: &[u8]) -> bool {
    let begins = |begin: &[u8]| {
        let rest = name.strip_prefix(begin);
        rest.and_then(<[u8]>::first)
            .is_some_and(|next| next.is_ascii_uppercase() || next.is_ascii_digit())
    };
    let is_type = name.first().is_some_and(u8::is_ascii_uppercase);
    FUNCTIONS.binary_search(&name).is_ok()
        // Macros, and what bundlers and templates put in.
        || name.starts_with(b"$")
        || name.starts_with(b"__")
        || PREFIXES.iter().any(|begin| begins(begin))
        || (is_type
            && (FAMILIES.iter().any(|begin| begins(begin))
                || ENDINGS.iter().any(|end| name.ends_with(end))))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_can_be_searched() {
        assert!(super::METHODS.is_sorted() && super::FUNCTIONS.is_sorted());
    }

    #[test]
    fn what_platforms_have_is_there() {
        let there = byte_words!(
            "await typeof KeyboardEvent HTMLVideoElement ResizeObserver IDBKeyRange CompressionStream Float16Array
             RTCPeerConnection GPUBufferUsage __webpack_require__ $localize webkitRequestAnimationFrame expectTypeOf"
        );
        assert!(there.iter().all(|name| super::is_there(name)));
        let made_up = byte_words!("renderEntirely HtmlThing JjjClass original definite");
        assert!(!made_up.iter().any(|name| super::is_there(name)));
    }
}
