/** Called as attempts end, for metrics. */
export interface DeliveryObserver {
  /** @param ageMs time from the commit of the event to the end of its delivery */
  delivered(latencyMs: number, ageMs: number): void
  /** @param reason the response status or `no-answer`: few distinct values, suitable as a metric label */
  failed(reason: string): void
  /** Events were moved to the dead events. */
  died(count: number): void
  /**
   * Consumers have received events that report deprovisionings. `ms` has the duration of each since its request, in
   * milliseconds.
   */
  deprovisioned(ms: readonly number[]): void
  /** The lease of a stream was acquired that another process had let expire. */
  leaseTakenOver(): void
}

/** Receives delivery problems for operators; a pino logger fits. */
export interface DeliveryLogger {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentObserver: DeliveryObserver = {
  delivered: () => {},
  failed: () => {},
  died: () => {},
  deprovisioned: () => {},
  leaseTakenOver: () => {},
}

export const silentLogger: DeliveryLogger = { warn: () => {}, error: () => {} }
