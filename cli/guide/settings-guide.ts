/** Renders the generated tables of `docs/settings.md` from the tables of settings. */
import { SETTING_VARIABLES } from '../../gateway/config/config.ts'
import { START_VARIABLES } from '../../launcher/start-settings.ts'

const VARIABLES_BY_PROGRAM = new Map([
  ['npm start', START_VARIABLES],
  ['gateways and workers', SETTING_VARIABLES],
])
const TABLE = /^<!-- Generated .* from the settings of ([\w ]+)\. .* -->\n(?:\|.*\n)*/gm

/** The document with its generated tables as the tables of settings make them. */
export function settingsGuide(document: string): string {
  return document.replaceAll(TABLE, (text, program: string) => {
    const variables = VARIABLES_BY_PROGRAM.get(program) ?? []
    const rows = variables.map(({ name, byDefault, meaning }) => `| \`${name}\` | ${byDefault} | ${meaning} |`)
    return [
      text.slice(0, text.indexOf('\n')),
      '| Variable | Default | Meaning |',
      '| --- | --- | --- |',
      ...rows,
      '',
    ].join('\n')
  })
}
