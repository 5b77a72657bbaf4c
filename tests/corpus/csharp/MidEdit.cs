using System;

namespace Broken
{
    public class Half
    {
        public int Before() { return 1; }

        public void Typing(string name)
        {
            var x = name.
        }

        public int After() { return Before(); }

        public string Unfinished {

        public void Last() { After(); }
    }

    public class Next
    {
        public void Still() { new Half().After(; }
    }
}
