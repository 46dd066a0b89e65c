/** Lists the users who sign in with passkeys. */
import type { Context } from '../../gateway/context.ts'
import type { UserAccount } from './user-account.ts'
import { listUsers } from './user-store.ts'

/** All of them by name, disabled ones included. */
export async function listUserAccounts({ database }: Pick<Context, 'database'>): Promise<readonly UserAccount[]> {
  return await listUsers(database)
}
