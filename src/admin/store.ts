/** What the management of the service itself asks of a store. */
export interface AdminStore {
  /** The API key that was made at first start: `candidate` when there was none, which is then kept (encrypted). */
  keepFirstApiKey(candidate: string): Promise<string>
}
