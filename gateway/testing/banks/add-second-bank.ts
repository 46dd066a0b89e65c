/** Adds the sandbox's bank to the directory under another BIC, for tests with a second bank. */

import { putBank } from '../../banks/directory/directory-entry.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** Havnebanken, HAVNNO22. */
export async function addSecondBank({ bank, context }: TestGateway, xs2aUrl: string = bank.xs2aUrl): Promise<void> {
  await putBank(context.database, await readBankProfiles(BANK_PROFILES_FOLDER), {
    bic: 'HAVNNO22',
    name: 'Havnebanken',
    countryCode: 'NO',
    connector: 'berlin-group',
    profile: 'norwegian-redirect',
    address: `${xs2aUrl}/fjordbanken`,
    linkHosts: [new URL(bank.xs2aUrl).host, new URL(bank.pagesUrl).host],
  })
}
