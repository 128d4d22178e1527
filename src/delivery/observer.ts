/** Hears of deliveries as they end, for metrics. */
export interface DeliveryObserver {
  /** @param ageMs from the commit of the event to the end of its delivery */
  delivered(latencyMs: number, ageMs: number): void
  /** @param reason the status of the answer, or `no-answer`: few values, fit for a label */
  failed(reason: string): void
  /** Events were set aside as dead. */
  died(count: number): void
}

/** Where delivery writes what an operator must know; a pino logger is one. */
export interface DeliveryLogger {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentObserver: DeliveryObserver = { delivered: () => {}, failed: () => {}, died: () => {} }

export const silentLogger: DeliveryLogger = { warn: () => {}, error: () => {} }
