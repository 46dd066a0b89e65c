/** Writes `docs/command-line.md`, `docs/doctor.md` and the tables of `docs/settings.md`: run by `npm run command-line-guide`. */
import { readFile, writeFile } from 'node:fs/promises'
import { havnProgram } from '../program.ts'
import { commandLineGuide } from './command-line-guide.ts'
import { doctorGuide } from './doctor-guide.ts'
import { settingsGuide } from './settings-guide.ts'

const SETTINGS = new URL('../../docs/settings.md', import.meta.url)

await writeFile(new URL('../../docs/command-line.md', import.meta.url), commandLineGuide(await havnProgram()))
await writeFile(new URL('../../docs/doctor.md', import.meta.url), doctorGuide())
await writeFile(SETTINGS, settingsGuide(await readFile(SETTINGS, 'utf8')))
