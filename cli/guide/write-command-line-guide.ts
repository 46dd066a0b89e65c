/** Writes `docs/command-line.md`: run by `npm run command-line-guide`. */
import { writeFile } from 'node:fs/promises'
import { havnProgram } from '../program.ts'
import { commandLineGuide } from './command-line-guide.ts'

await writeFile(new URL('../../docs/command-line.md', import.meta.url), commandLineGuide(havnProgram()))
