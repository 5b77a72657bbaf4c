package harbour;

class Remarks {
    @Deprecated // since 2
    int depth() {
        return 1;
    }
}
