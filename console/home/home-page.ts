/** Shows the start page. */
import { html } from 'ghtml'
import type { ConsoleRoute } from '../console-route.ts'
import { factList } from '../markup/fact-list.ts'
import { consoleText } from '../texts/console-texts.ts'

export const homeRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console',
    permission: 'session',
    handle: async ({ viewer: { session, partnerName } }) => ({
      kind: 'page',
      title: consoleText('home.title'),
      body: html`<p>${consoleText('home.welcome', { name: session.name })}</p>
!${factList([
        [consoleText('home.roles'), html`${session.roles.map((role) => consoleText(`roles.${role}`)).join(', ')}`],
        [consoleText('home.partner'), html`${partnerName ?? consoleText('home.allPartners')}`],
      ])}`,
    }),
  },
]
