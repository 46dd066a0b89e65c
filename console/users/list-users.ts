/** Lists the users who sign in with passkeys. */
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import type { UserAccount } from './user-account.ts'
import { listUsers } from './user-store.ts'

/** All of them by name, disabled ones included. */
export async function listUserAccounts({ database }: ProgramContext): Promise<readonly UserAccount[]> {
  return await listUsers(database)
}
