/** Writes `docs/command-line.md` and `docs/doctor.md`: run by `npm run command-line-guide`. */
import { writeFile } from 'node:fs/promises'
import { havnProgram } from '../program.ts'
import { commandLineGuide } from './command-line-guide.ts'
import { doctorGuide } from './doctor-guide.ts'

await writeFile(new URL('../../docs/command-line.md', import.meta.url), commandLineGuide(await havnProgram()))
await writeFile(new URL('../../docs/doctor.md', import.meta.url), doctorGuide())
