/** Renders the table of the banks' SCA approaches for the sandbox guide. */
import type { BankFixture, BankProfile } from '../fixture.ts'
import { table } from './markdown-table.ts'

const apps: Readonly<Record<BankProfile['signing']['app'], string>> = {
  none: '–',
  notified: 'the bank notifies the app of the user named',
  image: 'an animated code, as image and text',
  'image-link': 'an animated code behind an address; without `Qr-Code-Required: true` a token that starts the app',
  'start-token': 'a token that starts the app',
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
      return `a link that comes with the order${signing.confirmation ? '; counts once a confirmation code was brought back' : ''}`
    case 'explicit':
      return oauthTexts[oauth]
  }
}

const oauthTexts: Readonly<Record<BankProfile['oauth'], string>> = {
  none: 'a link',
  integrated: 'an OAuth grant that signs',
  'pre-step': 'a link; before anything else an OAuth grant',
}
