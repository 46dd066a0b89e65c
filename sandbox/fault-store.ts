/** Stores the faults of a sandbox program in its schema, so that they survive restarts like everything else there. */
import type { Database } from '../gateway/platform/database/database.ts'

export type FaultStore<Fault> = {
  load(): Promise<readonly Fault[]>
  save(faults: readonly Fault[]): Promise<void>
}

/** In the table `faults` of the program. */
export function storeFaultsIn<Fault>({ pool }: Pick<Database<unknown>, 'pool'>): FaultStore<Fault> {
  return {
    load: async () => {
      const { rows } = await pool.query<{ list: readonly Fault[] }>('select list from faults')
      return rows[0]?.list ?? []
    },
    save: async (faults) => void (await pool.query('update faults set list = $1', [JSON.stringify(faults)])),
  }
}
