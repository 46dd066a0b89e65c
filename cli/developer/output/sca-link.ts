/** Says how a user authenticates: by opening a link, or with a code. */
import type { Sca } from '../../../contract/sca.ts'

export function scaLink(sca: Sca | undefined): string {
  if (sca === undefined) {
    return 'The user is asked in the app of the bank.'
  }
  return sca.type === 'redirect'
    ? `Open ${sca.url}`
    : `The user scans a code in the app of the bank: ${sca.code ?? 'the bank gives an image only, which --json prints'}`
}
