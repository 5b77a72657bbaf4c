namespace Harbour
{
    public interface IQuay
    {
        /// <summary>Moors a ship.</summary>
        void Moor(Ship ship)
#if FEATURE_DEFAULTS
        {
            if (IsFree(ship.Length))
            {
                Log("moored");
            }
        }
#else
        ;
#endif

        /// <summary>How long it is.</summary>
        int Length(Unit unit)
#if FEATURE_DEFAULTS
            => unit.Of(12)
#endif
        ;

        [Audited]
        bool IsFree(int length)
#if FEATURE_DEFAULTS
        {
            return length < 12;
        }
#else
        ;
#endif

        void Log(string text);
    }
}
