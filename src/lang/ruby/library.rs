//! Methods that objects of Ruby's own library have, as `instance_methods` of Ruby 3.4 lists them: of the core, and of what is
//! most often required of the standard library.

/// Their names, sorted: who calls one on an object of unknown type need not mean what the repository defines.
pub(super) const METHODS: &[&[u8]] = byte_words!(
    "abort abort_on_exception abs abs2 absolute absolute? absolute_path absolute_path? accept add add?
     add_trace_func additional_message advise alias_method alive? all? allbits? allocate ancestors angle any?
     anybits? append append_as_bytes arg arity ascend ascii_compatible? ascii_only? asctime assoc at atime
     attached_object attr attr_accessor attr_reader attr_writer autoclose? autoload autoload? backtrace
     backtrace_locations banner base basename begin beginning_of_line? between? binding binmode binmode? binread
     binwrite birthtime bit_length blksize block_length blockdev? blocking? blocks bol? bsearch bsearch_index
     bytebegin byteend byteindex byteoffset byterindex bytes bytesize byteslice bytesplice call candidate
     capitalize capitalize! captures casecmp casecmp? casefold? cause cd ceil ceildiv center chain chardev?
     charpos chars chdir check check_until children chmod chmod_R chomp chomp! chop chop! chown chown_R chr
     chroot chunk chunk_while civil clamp class class! class_eval class_exec class_variable_get
     class_variable_set class_variables classify cleanpath clear clone clone! close close! close_on_exec?
     close_read close_write closed? closed_read? closed_write? cmp codepoints coerce collect collect!
     collect_concat collect_method combination commands commercial compact compact! compare_by_identity
     compare_by_identity? compare_file compare_stream component component_ary compsys concat conj conjugate
     const_defined? const_get const_missing const_set const_source_location constants copy copy_entry copy_file
     copy_stream coredump? count cover? cp cp_lr cp_r crypt ctime curry cwday cweek cwyear cycle datetime_format
     day day_fraction debug debug! debug? decoded_password decoded_user deconstruct deconstruct_keys dedup
     def_class def_head_option def_method def_module def_option def_tail_option default default_argv
     default_port default_proc define define_head define_method define_tail delete delete! delete? delete_at
     delete_field delete_field! delete_if delete_prefix delete_prefix! delete_suffix delete_suffix! denominator
     deprecate_constant deq descend detailed_message detect dev dev_major dev_minor difference dig dig!
     digest_length digits directory? dirname disjoint? display display! div divide divmod downcase downcase!
     downto drop drop_while dst? dummy? dump dup dup! each each_byte each_char each_child each_codepoint
     each_cons each_entry each_filename each_grapheme_cluster each_index each_key each_line each_pair each_pair!
     each_slice each_value each_with_index each_with_object eager empty? encode encode! encode_with encode_with!
     encoding end end_with? england enq enter entries enum_for enum_for! environment eof eof? eos? eql? equal?
     error error! error? eval even? except exception exclude_end? executable? executable_real? exist? exit
     exited? exitstatus expand_path extend extend! external_encoding extname fatal fatal! fatal? fchdir fcntl
     fdatasync fdiv feed fetch fetch_values file? filename fileno fill filter filter! filter_map
     finalizer_manager find find_all find_index find_proxy finite? first fixed_anchor? fixed_encoding? flat_map
     flatten flatten! flatten_merge flock floor flush fnmatch fnmatch? for_fd force force_encoding foreach
     formatter fragment freeze freeze! friday? frozen? fsync ftype full_message garbage_collect gcd gcdlcm
     get_byte getbyte getc getch getgm getlocal getopts gets getutc getwd gid glob gm gmt? gmt_offset gmtime
     gmtoff grapheme_clusters gregorian gregorian? gregorian_leap? grep grep_v group group_by grpowned? gsub
     gsub! has_key? has_value? hash hash! have_option? help help_exit hex hierarchical? home host hostname hour
     httpdate id2name identical? imag imaginary inc include include? included_modules index infinite? info info!
     info? init_with init_with! inject ino insert inspect inspect! install instance_eval instance_eval!
     instance_exec instance_exec! instance_method instance_methods instance_of? instance_variable_get
     instance_variable_set instance_variables instance_variables! integer? intern internal_encoding intersect?
     intersection invert ioctl irb is_a? isatty isdst italy itself itself! jd join json_creatable? julian
     julian? julian_leap? keep_if key key? keys kill kind_of? lambda? last lazy lchmod lchown lcm ld leap?
     length level lineno lines link link_entry ljust ln ln_s ln_sf ln_sr load local local_variable_get
     local_variable_set local_variables localtime lock locked? log lstat lstrip lstrip! lutime magnitude
     make_compiler make_link make_switch make_symlink makedirs map map! marshal_dump marshal_dump! marshal_load
     match match? match_length matched matched? matched_size max max_by mday member? members merge merge!
     message method method! method_defined? methods methods! min min_by minmax minmax_by minute mjd mkdir
     mkdir_p mkfifo mkpath mktime mktmpdir mode module_eval module_exec modulo mon mon_check_owner mon_enter
     mon_exit mon_locked? mon_owned? mon_synchronize mon_try_enter monday? month mountpoint? move mtime mv name
     named_captures names nan? native_thread_id negative? new new_cond new_offset new_start next next! next_day
     next_float next_month next_values next_year nil? nlink nobits? none? nonzero? normalize normalize! now nsec
     num_waiting numerator object_id object_id! oct odd? offset on on_head on_tail one? opaque open opendir
     options options_of opts ord order order! ordinal original_name overlap? owned? owner pack parameters parent
     parse parse! parser partition password path pathconf peek peek_byte peek_values peep pending_interrupt?
     permutation permute permute! phase pid pipe pipe? pointer polar pop popen port pos positive? post_match pow
     pre_match pread pred prepend pretty_print pretty_print_cycle prev_day prev_float prev_month prev_year print
     printf priority private_class_method private_constant private_methods private_methods! product progname
     program_name proper_subset? proper_superset? protected_methods protected_methods! public_class_method
     public_constant public_method public_method! public_methods public_methods! public_send public_send! push
     putc puts pwd pwrite query quo raise raise_unknown rassoc rationalize rdev rdev_major rdev_minor read
     read_nonblock readable? readable_real? readbyte readchar readline readlines readlink readpartial real real?
     realdirpath realpath receiver rect rectangular reduce refinements regexp registry rehash reject reject!
     relative? relative_path_from release remainder remove remove_class_variable remove_dir remove_entry
     remove_entry_secure remove_file remove_method rename reopen repeated_combination repeated_permutation
     replace report_on_exception require_exact reset respond_to? rest rest? rest_size restsize result
     result_with_hash resume reverse reverse! reverse_each rewind rindex rjust rm rm_f rm_r rm_rf rmdir rmtree
     root? rotate rotate! round route_from route_to rpartition rstrip rstrip! ruby2_keywords run safe_unlink
     sample saturday? scan scan_byte scan_full scan_integer scan_until scheme scrub scrub! search_full sec
     sec_fraction second second_fraction seek select select! send send! separator set_backtrace set_banner
     set_encoding set_encoding_by_bom set_eoutvar set_host set_opaque set_password set_path set_port
     set_program_name set_registry set_scheme set_summary_indent set_summary_width set_temporary_name
     set_trace_func set_user set_userinfo setbyte setgid? setuid? sev_threshold shift shuffle shuffle! signaled?
     singleton_class singleton_class! singleton_class? singleton_method singleton_method! singleton_methods
     singleton_methods! size size? skip skip_until sleep slice slice! slice_after slice_before slice_when
     socket? sort sort! sort_by sort_by! source source_location split squeeze squeeze! src start start_with?
     stat status step sticky? stop? stopped? stopsig storage store strftime string strip strip! strptime sub
     sub! sub_ext subclasses subsec subset? subtract succ succ! success? sum summarize summary_indent
     summary_width sunday? super_method superclass superset? swapcase swapcase! symlink symlink? sync
     synchronize sysopen sysread sysseek syswrite table table! take take_while tally tap tap! tell terminate
     termsig then then! thread_variable? thread_variable_get thread_variable_set thread_variables thursday?
     timeout times tmpdir to_a to_ary to_c to_date to_datetime to_enum to_enum! to_f to_h to_h! to_hash to_i
     to_int to_io to_json to_json! to_path to_proc to_r to_s to_s! to_set to_str to_sym to_time to_yaml today
     top touch tr tr! tr_s tr_s! transfer transform_keys transform_keys! transform_values transform_values!
     transpose truncate try_convert try_enter try_lock try_mon_enter tty? tuesday? tv_nsec tv_sec tv_usec uid
     umask unbind undef_method undump ungetbyte ungetc unicode_normalize unicode_normalize! unicode_normalized?
     union uniq uniq! unknown unlink unlinked unlock unpack unpack1 unscan unshift upcase upcase! update upto
     uptodate? usec user userinfo utc utc? utc_offset utime valid_civil? valid_commercial? valid_date?
     valid_encoding? valid_jd? valid_ordinal? value value? values values_at ver version wait wait_for_cond
     wait_priority wait_readable wait_writable wakeup warn warn! warn? wday wednesday? with with_index
     with_level with_object world_readable? world_writable? writable? writable_real? write write_nonblock
     xmlschema yday year yield yield_self yield_self! zero? zip zone zone_offset"
);

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_can_be_searched() {
        assert!(super::METHODS.is_sorted());
    }
}
