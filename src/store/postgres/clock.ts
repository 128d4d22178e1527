/** Unix milliseconds by the clock of the database: that of no process decides who has a lease. */
export const now = '(extract(epoch from clock_timestamp()) * 1000)::int8'
