/** The setting that shifts `Date` in a process of the service, as if the clock of its machine were wrong. */
export function shiftedClock(aheadMs: number): { readonly NODE_OPTIONS: string } {
  const source = `
    const RealDate = Date
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        super(...(given.length === 0 ? [RealDate.now() + ${aheadMs}] : given))
      }
      static now() {
        return RealDate.now() + ${aheadMs}
      }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` }
}
