/** Renders the table of the banks' SCA approaches for the sandbox guide. */
import type { BankFixture, BankProfile } from '../fixture.ts'
import { table } from './markdown-table.ts'

const apps: Readonly<Record<BankProfile['signing']['app'], string>> = {
  none: '–',
  notified: 'the bank notifies the app of the given user',
  image: 'an animated QR code, as image and text',
  'image-link': 'a link to an animated QR code; without `Qr-Code-Required: true` a start token',
  'start-token': 'a start token',
}

/** One line per approach, with its banks. */
export function scaTable({ banks }: BankFixture): string {
  const byWay = Map.groupBy(banks, (bank) => `${browserText(bank)}|${apps[bank.signing.app]}`)
  const rows = [...byWay].map(([way, having]) => [having.map(({ name }) => name).join(', '), ...way.split('|')])
  return table(['Banks', 'In a browser', 'In an app'], rows)
}

function browserText({ signing, oauth }: BankProfile): string {
  switch (signing.redirect) {
    case 'none':
      return '–'
    case 'implicit':
      return `a link in the response to the order${signing.confirmation ? '; counts once the confirmation code was submitted' : ''}`
    case 'explicit':
      return oauthTexts[oauth]
  }
}

const oauthTexts: Readonly<Record<BankProfile['oauth'], string>> = {
  none: 'a link',
  integrated: 'an OAuth grant',
  'pre-step': 'a link, after an OAuth grant for the sign-in',
}
