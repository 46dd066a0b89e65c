/** Shows the start page. */
import { html } from 'ghtml'
import type { ConsoleRoute } from '../console-route.ts'
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
<dl>
<div><dt>${consoleText('home.roles')}</dt><dd>${session.roles.map((role) => consoleText(`roles.${role}`)).join(', ')}</dd></div>
<div><dt>${consoleText('home.partner')}</dt><dd>${partnerName ?? consoleText('home.allPartners')}</dd></div>
</dl>`,
    }),
  },
]
