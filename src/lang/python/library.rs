//! Methods that objects of Python's own library have, as `dir` of Python 3 lists them: of built-in types, files, paths,
//! dates, threads, tasks, sockets, loggers and the like.

/// Their names, sorted: who calls one on an object of unknown type need not mean what the repository defines.
pub(super) const METHODS: &[&[u8]] = byte_words!(
    "absolute accept aclose acquire acquire_lock add addClassCleanup addCleanup addFilter addHandler
     addTypeEqualityFunc add_argument add_argument_group add_done_callback add_header add_note add_reader
     add_section add_signal_handler add_subparsers add_unredirected_header add_writer addfile adjusted anchor
     annotation append appendleft apply apply_async args arraysize as_bytes as_integer_ratio as_posix as_string
     as_tuple as_uri asend assertAlmostEqual assertAlmostEquals assertCountEqual assertDictEqual assertEqual
     assertEquals assertFalse assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone
     assertIsNot assertIsNotNone assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual
     assertNoLogs assertNotAlmostEqual assertNotAlmostEquals assertNotEqual assertNotEquals assertNotIn
     assertNotIsInstance assertNotRegex assertNotRegexpMatches assertRaises assertRaisesRegex assertRaisesRegexp
     assertRegex assertRegexpMatches assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns
     assertWarnsRegex assert_ assert_any_call assert_called assert_called_once assert_called_once_with
     assert_called_with assert_has_calls assert_not_called astimezone at_eof athrow attach attach_mock attrib
     authkey auto_open backup begin betavariate bind bind_partial bit_count bit_length blobopen braceidpattern
     buffer buffer_info bytes bytes_le byteswap bz2open c_contiguous callHandlers call_args call_args_list
     call_at call_count call_exception_handler call_later call_soon call_soon_threadsafe callback called
     can_write_eof cancel cancelled cancelling canonical capitalize casefold cast center characters_written
     chmod choice choices chown clear clock_seq clock_seq_hi_variant clock_seq_low close closed combine comment
     commit communicate compare compare_signal compare_total compare_total_mag configure_mock conjugate connect
     connect_accepted_socket connect_ex connect_read_pipe connect_write_pipe connection contiguous converter
     converters copy copy_abs copy_negate copy_sign count countTestCases createLock create_aggregate
     create_collation create_connection create_function create_future create_server create_task
     create_unix_connection create_unix_server create_window_function critical ctime cursor cwd daemon data date
     day days debug debuglevel decode default defaultTestResult default_factory default_msec_format default_port
     default_time_format defaults del_param deleter delimiter denominator dereference description deserialize
     detach difference difference_update discard doClassCleanups doCleanups done drain drive dst dup elements
     emit empty encode encoding end endheaders endpos endswith enterClassContext enterContext enter_context
     errno error errorlevel errors exception execute executemany executescript exists exit exitcode exp expand
     expandtabs expanduser expovariate extend extendleft extract extractall extractfile extraction_filter fail
     failIf failIfAlmostEqual failIfEqual failUnless failUnlessAlmostEqual failUnlessEqual failUnlessRaises
     failureException family fatal fdel feed_data feed_eof fetchall fetchmany fetchone fget fields filename
     filename2 fileno fileobject filter find findCaller findall finditer findtext flags flush fma fold format
     formatException formatMessage formatStack formatTime format_help format_map format_usage fp from_bytes
     from_callable from_decimal from_float frombytes fromfile fromhex fromisocalendar fromisoformat fromkeys
     fromlist fromordinal fromtimestamp fromunicode fromutc fset full full_url fullmatch func gammavariate gauss
     get getChild getEffectiveLevel getMessage getName get_all get_boundary get_charset get_charsets
     get_content_charset get_content_disposition get_content_maintype get_content_subtype get_content_type
     get_coro get_debug get_default get_default_type get_exception_handler get_extra_info get_filename
     get_full_url get_header get_identifiers get_inheritable get_key get_loop get_map get_method get_name
     get_nowait get_param get_params get_payload get_stack get_task_factory get_unixfrom getaddrinfo getblocking
     getboolean getbuffer getcode getfloat getheader getheaders getinfo getint getlimit getmember getmembers
     getnameinfo getnames getpeername getrandbits getresponse getroot getsockname getsockopt getstate gettarinfo
     getter gettimeout geturl getvalue glob group groupdict groupindex groups gzopen handle handleError
     hardlink_to hasHandlers has_header has_option has_proxy has_section header_items hex home hour id ident
     idpattern ignore_zeros imag imap imap_unordered in_transaction index info infolist insert int interrupt
     intersection intersection_update isDaemon isEnabledFor isSet is_absolute is_alive is_block_device
     is_canonical is_char_device is_closed is_closing is_dir is_fifo is_file is_finite is_infinite is_integer
     is_mount is_multipart is_nan is_normal is_qnan is_relative_to is_reserved is_running is_safe is_set
     is_signed is_snan is_socket is_subnormal is_symlink is_valid is_zero isalnum isalpha isascii isatty
     isclosed isdecimal isdigit isdisjoint isidentifier islower isnumeric isocalendar isoformat isolation_level
     isoweekday isprintable isspace issubset issuperset istitle isupper items itemsize iter iter_unpack iterdir
     iterdump iterfind itertext itervaluerefs join joinpath keys keywords kill kind kwargs lastgroup lastindex
     lastrowid lchmod levelname limit_denominator line_buffering link_to list listen ljust ln locked locked_lock
     log log10 logb logical_and logical_invert logical_or logical_xor lognormvariate longMessage lower lstat
     lstrip makeRecord makedev makedir makeelement makefifo makefile makelink maketrans makeunknown manager map
     map_async match max maxDiff max_mag maxlen maxsize microsecond microseconds min min_mag minute mkdir
     mock_add_spec mock_calls mode modify month most_common move_to_end mro msg name namelist native_id nbytes
     ndim new_child newlines next next_minus next_plus next_toward node normalize normalvariate notify notifyAll
     notify_all now number_class numerator obj open options optionxform owner pack pack_into parameters parent
     parents paretovariate parse parse_args parse_intermixed_args parse_known_args partition parts pattern peek
     pid poll pop pop_all popitem popleft pos print_help print_stack print_usage printdir proto push put
     put_nowait putheader putrequest qsize quantize radix randbytes randint random randrange raw raw_items re
     read read1 read_bytes read_dict read_file read_string read_text readable readexactly readfp readinto
     readinto1 readline readlines readlink readonly readuntil real reconfigure recv recv_into recvfrom
     recvfrom_into recvmsg recvmsg_into register regs relative_to release release_lock remainder_near remove
     removeFilter removeHandler remove_done_callback remove_header remove_option remove_reader remove_section
     remove_signal_handler remove_writer removeprefix removesuffix rename replace replace_header request
     reset_mock resolution resolve response_class result return_annotation return_value returncode reverse rfind
     rglob rindex rjust rmdir rollback root rotate row_factory rowcount rpartition rsplit rstrip run run_forever
     run_in_executor run_until_complete running safe_substitute same_quantum samefile sample scaleb scanner
     search second seconds sections seed seek seekable select send send_signal sendall sendfile sendmsg
     sendmsg_afalg sendto sentinel serialize set setDaemon setFormatter setLevel setName setUp setUpClass
     set_authorizer set_boundary set_charset set_debug set_debuglevel set_default_executor set_default_type
     set_defaults set_exception set_exception_handler set_inheritable set_name set_param set_payload
     set_progress_handler set_proxy set_raw set_result set_task_factory set_trace_callback set_transport
     set_tunnel set_type set_unixfrom setblocking setdefault setinputsizes setlimit setoutputsize setpassword
     setsockopt setstate setter settimeout shape shift shortDescription shuffle shutdown shutdown_asyncgens
     side_effect size skipTest sock_accept sock_connect sock_recv sock_recv_into sock_recvfrom
     sock_recvfrom_into sock_sendall sock_sendfile sock_sendto sort span split splitlines sqrt starmap
     starmap_async start start_tls startswith stat stderr stdin stdout stem step stop strerror strftime strides
     string strip strptime sub subTest submit subn suboffsets subprocess_exec subprocess_shell substitute
     subtract suffix suffixes swapcase symlink_to symmetric_difference tag tail tarinfo taropen task_done
     tearDown tearDownClass tell terminate testzip text text_factory throw time time_hi_version time_low
     time_mid timeout timestamp timetuple timetz title to_bytes to_eng_string to_integral to_integral_exact
     to_integral_value tobytes today tofile tolist toordinal toreadonly total total_changes total_seconds touch
     tounicode translate transport triangular truncate type typecode tzinfo tzname uncancel uniform union
     universal_newlines unlink unpack unpack_from unregister update upper urn usesTime utc utcfromtimestamp
     utcnow utcoffset utctimetuple utime valuerefs values variant version vonmisesvariate wait wait_closed
     wait_for walk warn warning weekday weibullvariate with_name with_stem with_suffix with_traceback writable
     write write_bytes write_c14n write_eof write_text write_through writelines writestr xzopen year zfill"
);

/// What is there by itself and may be called, sorted: the words of the language, built-in functions and exceptions of both Pythons, and what shells and
/// translations add.
pub(super) const FUNCTIONS: &[&[u8]] = byte_words!(
    "Alias ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
     BrokenPipeError BufferError BytesWarning ChildProcessError Command ConnectionAbortedError ConnectionError
     ConnectionRefusedError ConnectionResetError Default Depends DeprecationWarning EOFError EncodingWarning
     Environment EnvironmentError Exception ExceptionGroup Export FileExistsError FileNotFoundError
     FloatingPointError FutureWarning GeneratorExit Glob IOError Import ImportError ImportWarning
     IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt Library
     LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError
     OverflowError PendingDeprecationWarning PermissionError ProcessLookupError Program PythonFinalizationError
     RecursionError ReferenceError ResourceWarning Return RuntimeError RuntimeWarning SConscript
     StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError
     TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
     UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError __build_class__ __import__ abs
     aiter all and anext any apply as ascii assert async await basestring bin bool break breakpoint buffer
     bytearray bytes callable case chr class classmethod cmp coerce compile complex continue copyright credits
     dbutils def del delattr dict dir display divmod dngettext doctest_namespace elif else enumerate eval except
     exec execfile exit file filter finally float for format from frozenset get_config get_ipython getattr
     gettext gettext_lazy global globals hasattr hash help hex id if import in input int intern is isinstance
     issubclass iter lambda lazy_gettext len license list load_subconfig load_tests locals long map match max
     memoryview min next ngettext nonlocal not npgettext object oct open or ord pass pgettext pow print property
     quit raise range raw_input reduce reload repr return reveal_locals reveal_type reversed round sc sentinel
     set setattr slice sorted spark sqlContext staticmethod str sum super try tuple type ugettext undefined
     ungettext unichr unicode vars while with xrange yield zip"
);

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_can_be_searched() {
        assert!(super::METHODS.is_sorted() && super::FUNCTIONS.is_sorted());
    }
}
