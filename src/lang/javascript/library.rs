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

/// Functions that are there by themselves, sorted: those of the language, of a page and of Node, what runners of tests call,
/// and the macros of Vue and Svelte. What a page or a framework adds beside them nobody can list.
pub(super) const FUNCTIONS: &[&[u8]] = byte_words!(
    "$bindable $derived $effect $host $inspect $props $state AbortController AggregateError Array ArrayBuffer
     BigInt BigInt64Array BigUint64Array Blob Boolean Buffer CustomEvent DataView Date Error EvalError Event
     EventTarget Float32Array Float64Array FormData Function Headers Image Int16Array Int32Array Int8Array Map
     Number Object Promise Proxy RangeError ReferenceError RegExp Request Response Set SharedArrayBuffer String
     Symbol SyntaxError TextDecoder TextEncoder TypeError URIError URL URLSearchParams Uint16Array Uint32Array
     Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebSocket Worker XMLHttpRequest addEventListener after
     afterAll afterEach alert assert atob before beforeAll beforeEach btoa cancelAnimationFrame
     cancelIdleCallback clearImmediate clearInterval clearTimeout close confirm context createImageBitmap
     decodeURI decodeURIComponent define defineEmits defineExpose defineModel defineOptions defineProps
     defineSlots describe dispatchEvent encodeURI encodeURIComponent escape eval expect fdescribe fetch fit
     fixture getComputedStyle getSelection import importScripts isFinite isNaN it jQuery jest matchMedia open
     parseFloat parseInt postMessage print prompt queueMicrotask removeEventListener reportError
     requestAnimationFrame requestIdleCallback require run scroll scrollBy scrollTo setImmediate setInterval
     setTimeout setup specify structuredClone suite suiteSetup suiteTeardown super teardown test unescape vi
     withDefaults xdescribe xit xtest"
);

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_can_be_searched() {
        assert!(super::METHODS.is_sorted() && super::FUNCTIONS.is_sorted());
    }
}
