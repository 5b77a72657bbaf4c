C     An old routine.
      SUBROUTINE SWAP(A, B, N)
      INTEGER N, I
      REAL A(N), B(N), T
      COMMON /WORK/ SCRATCH(100), NUSED
      DO 10 I = 1, N
         T = A(I)
         A(I) = B(I)
         B(I) = T
   10 CONTINUE
      CALL REPORT(N)
      RETURN
      END

      DOUBLE PRECISION FUNCTION DOT(X, Y, N)
      INTEGER N
      DOUBLE PRECISION X(N), Y(N)
      DOT = 0.0D0
      END

      BLOCK DATA SETUP
      COMMON /WORK/ SCRATCH(100), NUSED
      DATA NUSED /0/
      END
