/** Signs an operator in to the command line, as the console does. */

import { beginSession } from '../../../console/sessions/begin-session.ts'
import type { ConsoleRole } from '../../config/console-roles.ts'
import { movableClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { contextOf } from '../gateway/test-context.ts'

/** The value of HAVN_OPERATOR_TOKEN of an operator whom an identity provider knows by this name. */
export async function operatorToken(
  connectionString: string,
  name: string,
  role: ConsoleRole = 'operator-administrator',
): Promise<string> {
  const database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
  const user = { subject: subjectOfOperator(name), name, partnerId: null, roles: [role] }
  try {
    const browser = { userAgent: 'havn', former: undefined }
    return (await beginSession(contextOf({ database, clock: movableClock() }), user, browser)).token
  } finally {
    await database.close()
  }
}

export function subjectOfOperator(name: string): string {
  return `https://login.example ${name}`
}
