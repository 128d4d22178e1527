/** A run is over before its end, and not by Google's doing. The message is a sentence for the record of the run. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped'
}
