# git-sverklo: begin (`git sverklo init --undo` takes this block out)
# Starts indexing in the background and returns at once. Says nothing, changes no exit status,
# uses no network, and does nothing where git-sverklo is not installed.
if [ "${3-1}" = 1 ] && command -v git-sverklo >/dev/null 2>&1; then
	sverklo_pairs=
	if [ @EVENT@ = post-rewrite ]; then
		# git tells which commit became which; whoever comes after us shall read it too.
		sverklo_pairs=$(cat)
		exec <<SVERKLO
$sverklo_pairs
SVERKLO
	fi
	(
		{
			# GIT_DIR and GIT_WORK_TREE stay: where they are set, nothing else names the repository.
			unset GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_PREFIX \
				GIT_NAMESPACE GIT_QUARANTINE_PATH GIT_SHALLOW_FILE GIT_GRAFT_FILE \
				GIT_REPLACE_REF_BASE GIT_INTERNAL_SUPER_PREFIX GIT_REFLOG_ACTION \
				GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT
			if command -v nice >/dev/null 2>&1; then
				exec nice -n 10 git-sverklo hook @EVENT@ "$@"
			fi
			exec git-sverklo hook @EVENT@ "$@"
		} <<SVERKLO >/dev/null 2>&1 &
$sverklo_pairs
SVERKLO
	)
	unset sverklo_pairs
fi
# git-sverklo: end
