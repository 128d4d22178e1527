import { PolisSourceError } from './errors.ts'

/**
 * Loads the driver of a database, which is installed only where it is needed.
 *
 * @throws PolisSourceError if it is not installed
 */
export async function importDriver<Driver>(name: string, load: () => Promise<Driver>): Promise<Driver> {
  return await load().catch((cause: unknown) => {
    throw new PolisSourceError(`The driver of this database is not installed: run npm install ${name}`, { cause })
  })
}
