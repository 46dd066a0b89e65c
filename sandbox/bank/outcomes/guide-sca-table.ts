/** Writes the table of the ways in which the banks have people sign, for the guide to the sandbox. */
import type { BankProfile, World } from '../fixture.ts'
import { table } from './markdown-table.ts'

const apps: Readonly<Record<BankProfile['signing']['app'], string>> = {
  none: '–',
  notified: 'the bank notifies the app of the user named',
  image: 'an animated code, as image and text',
  'image-link': 'an animated code behind an address; without `Qr-Code-Required: true` a token that starts the app',
  'start-token': 'a token that starts the app',
}

/** One line for every way, with the banks that have it. */
export function signingTable({ banks }: World): string {
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
