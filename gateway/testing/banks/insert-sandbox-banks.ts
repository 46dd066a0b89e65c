/** Inserts the sandbox's banks into the directory of a test: each by the product once per process, then all at once. */
import { type BankRow, selectBanks } from '../../banks/directory/bank-store.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import type { Context } from '../../context.ts'
import { offsetPort } from '../../platform/http/offset-port.ts'
import { type SandboxBankUrls, upsertSandboxBanks } from '../../simulation/demo-fixture.ts'

/** What the product wrote for the first test: only the addresses are others in the next one. */
let first: { readonly xs2aUrl: string; readonly rows: readonly BankRow[] } | undefined

/** The banks have the profiles of the repository, which no test changes. */
export async function insertSandboxBanks(context: Context, urls: SandboxBankUrls): Promise<void> {
  if (first === undefined) {
    await upsertSandboxBanks(context, await readBankProfiles(BANK_PROFILES_FOLDER), urls)
    first = { xs2aUrl: urls.xs2aUrl, rows: await selectBanks(context.database) }
    return
  }
  const { xs2aUrl } = first
  const rows = first.rows.map((row) => {
    const own = offsetPort(urls.xs2aUrl, portOf(row.address) - portOf(xs2aUrl))
    const address = `${own}${new URL(row.address).pathname}`
    return { ...row, address, link_hosts: [new URL(own).host, new URL(urls.pagesUrl).host] }
  })
  const statement = 'insert into banks select * from jsonb_populate_recordset(null::banks, $1)'
  await context.database.pool.query(statement, [JSON.stringify(rows)])
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
