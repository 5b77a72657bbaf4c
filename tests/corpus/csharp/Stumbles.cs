using Harbour.Ships;

namespace Harbour
{
    /// <summary>Where ships lie.</summary>
    public class Quay
    {
        private readonly int length;

        public Quay(int length)
        {
            this.length = length;
        }

        public int Assign(Ship ship)
        {
            return Place(ship, length);
        }

        public void Release(Ship ship, {
            if (ship.Moored( {
                Log(ship.Name

        private int Place(Ship ship, int at)
        {
            return at;
        }

        public bool IsFree(int from, int to) => from < to;
    }

    public interface IPilot
    {
        void Board(Ship ship);
    }
}
