/** Lists Finland's organisation forms by their usual abbreviations. */
import type { OrganisationForms } from '../country.ts'

/** A connection to the registry must translate its codes to these abbreviations. */
export const finnishForms: OrganisationForms = {
  supported: ['OY', 'OYJ', 'KY', 'AY', 'OK', 'TMI', 'SE'],
  reviewed: [
    { kind: 'branch', codes: ['SL'] },
    { kind: 'foundation', codes: ['SÄÄ'] },
    { kind: 'public', codes: ['KUNTA', 'VALT'] },
    { kind: 'financial', codes: ['OP', 'SP', 'VOY'] },
  ],
  excluded: [
    { kind: 'housing', codes: ['AOY', 'ASY', 'KOY'] },
    { kind: 'association', codes: ['AYH', 'RY'] },
    { kind: 'estate', codes: ['KP', 'KK'] },
  ],
}
