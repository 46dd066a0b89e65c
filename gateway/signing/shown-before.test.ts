/** Shows that evidence from before steps could show several things is kept as it was shown, in the present form. */
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../testing/database/fresh-database.ts'

const MIGRATION = new URL('../migrations/0018-signing-ways.sql', import.meta.url)
const ID = '01a1fd51-19f3-7000-8a2f-934fe70ded14'

test('what was shown keeps its words and their order, and what has the present form stays', async () => {
  const [, statement = ''] = (await readFile(MIGRATION, 'utf8')).split(/^(?=update signing_steps\nset shown)/m)
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.connectionString })
  await client.connect()
  const before = [
    { label: 'Amount', value: '1 250.00 NOK' },
    { label: 'From account', value: '80501100017' },
    { label: 'Access to', value: 'accounts, balances and transactions' },
  ]
  const present = [[{ label: 'amount', value: '1.00 NOK', kind: 'amount' }]]
  for (const [position, shown] of [before, present].entries()) {
    await client.query(
      `insert into signing_steps (partner_id, signing_id, position, target_type, target_id, state, shown)
       values ($1, $1, $2, 'payment', $1, 'signed', $3)`,
      [ID, position, JSON.stringify(shown)],
    )
  }
  await client.query(statement)
  const { rows } = await client.query('select shown from signing_steps order by position')
  await client.end()
  await database.drop()
  expect(rows).toEqual([
    {
      shown: [
        [
          { label: 'amount', value: '1 250.00 NOK', kind: 'text' },
          { label: 'from-account', value: '80501100017', kind: 'text' },
          { label: 'access', value: 'accounts, balances and transactions', kind: 'text' },
        ],
      ],
    },
    { shown: present },
  ])
})
