/** Puts the sandbox's bank into the directory once more, under another BIC, for tests of what is of another bank. */

import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/bank-profile.ts'
import { putBank } from '../../banks/directory/directory-entry.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'

/** Havnebanken, HAVNNO22. */
export async function putAnotherBank({ bank, context }: WholeGateway): Promise<void> {
  await putBank(context.database, await readBankProfiles(BANK_PROFILES_FOLDER), {
    bic: 'HAVNNO22',
    name: 'Havnebanken',
    countryCode: 'NO',
    connector: 'berlin-group',
    profile: 'norwegian-redirect',
    address: `${bank.xs2aUrl}/fjordbanken`,
    linkHosts: [new URL(bank.xs2aUrl).host, new URL(bank.pagesUrl).host],
  })
}
