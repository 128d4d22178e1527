import { runTogether } from '../support/run-together.ts'

// A kill or two of each database; the others are in `all/`, with the faults that need a PostgreSQL server of their own.
runTogether(
  'guarantees/kills/{adoption,durability}.test.ts',
  'guarantees/faults/{chaos-check,expensive-searches,request-log,upgrade}.test.ts',
)
