/** Tests that a connection of the doctor that the server ends does not end the doctor. */
import { it } from 'vitest'
import { expectLostConnectionReplaced } from '../../../gateway/testing/database/expect-lost-connection-replaced.ts'
import { freshDatabase } from '../../../gateway/testing/database/fresh-database.ts'
import { closeSession, openSession } from './open-session.ts'

it('a connection that the server terminates fails the next statement, and is replaced', async () => {
  const fresh = await freshDatabase()
  const session = await openSession(fresh.connectionString)
  if (!('pool' in session)) {
    throw session.error
  }
  await expectLostConnectionReplaced(session.pool)
  await closeSession(session)
  await fresh.drop()
})
