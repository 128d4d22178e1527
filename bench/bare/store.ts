/** The minimum that a server of users needs from a database. */
export interface BareStore {
  /** Inserts a user and an event; both are on disk when this resolves. */
  insert(user: BareUser): Promise<void>
  /** Replaces a user and inserts an event; both are on disk when this resolves. */
  replace(change: BareChange): Promise<void>
  byId(directoryId: string, id: string): Promise<string | undefined>
  byUserName(directoryId: string, userName: string): Promise<string | undefined>
  close(): Promise<void>
}

export interface BareUser {
  readonly id: string
  readonly directoryId: string
  readonly userName: string
  readonly raw: string
}

/** The new content of a user, and the id of the event. */
export interface BareChange {
  readonly id: string
  readonly directoryId: string
  readonly raw: string
  readonly eventId: string
}

/** The tables of both databases. */
export const bareTables = `
  create table users (
    id text primary key,
    directory_id text not null,
    user_name text not null,
    raw text not null,
    unique (directory_id, user_name)
  );
  create table events (id text primary key, directory_id text not null, data text not null);`
