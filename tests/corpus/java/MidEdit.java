package store;

import java.util.List;

public class MidEdit {
    private int count = 0;

    /** Whole. */
    public int count() {
        return count;
    }

    public List<String> names(int limit) {
        int seen = 0;
        if (seen < limit) {
            return names(
