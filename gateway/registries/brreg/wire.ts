/** Schemas of the responses of Norway's registers; every response is parsed before use. */
import { type Static, Type } from 'typebox'
import { responseParser } from '../../platform/http/response-parser.ts'

const Text = Type.String()
const Flag = Type.Optional(Type.Boolean())
const Coded = Type.Object({ kode: Text })

const Address = Type.Object({
  adresse: Type.Optional(Type.Array(Text)),
  postnummer: Type.Optional(Text),
  poststed: Type.Optional(Text),
  landkode: Type.Optional(Text),
})

/** Response of `GET /enheter/{orgnr}`; a company that is struck off has `slettedato` and little else. */
const Entity = Type.Object({
  organisasjonsnummer: Text,
  navn: Text,
  organisasjonsform: Type.Optional(Coded),
  slettedato: Type.Optional(Text),
  registreringsdatoEnhetsregisteret: Type.Optional(Text),
  forretningsadresse: Type.Optional(Address),
  postadresse: Type.Optional(Address),
  konkurs: Flag,
  underUtenlandskInsolvensbehandlingDato: Type.Optional(Text),
  underRekonstruksjonsforhandlingDato: Type.Optional(Text),
  underAvvikling: Flag,
  underTvangsavviklingEllerTvangsopplosning: Flag,
})

const PersonName = Type.Object({
  fornavn: Type.Optional(Text),
  mellomnavn: Type.Optional(Text),
  etternavn: Type.Optional(Text),
})

const Role = Type.Object({
  type: Coded,
  /** Absent where a company has the role. */
  person: Type.Optional(
    Type.Object({
      navn: Type.Optional(PersonName),
      fodselsdato: Type.Optional(Text),
      erDoed: Flag,
    }),
  ),
  fratraadt: Flag,
  avregistrert: Flag,
})

/** Response of `GET /enheter/{orgnr}/roller`. */
const Roles = Type.Object({
  rollegrupper: Type.Optional(Type.Array(Type.Object({ roller: Type.Optional(Type.Array(Role)) }))),
})

const Signer = Type.Object({
  navn: Type.Optional(Text),
  fodselsdato: Type.Optional(Text),
  /** Limits in free text on what the person may sign. */
  rolleFritekst: Type.Optional(Text),
})

/** Persons who may sign together; unknown fields are detected by name. */
const Combination = Type.Object({
  kode: Type.Optional(Text),
  personRolleKombinasjon: Type.Optional(Type.Array(Signer)),
})

/** Response of `GET /fullmakt/enheter/{orgnr}/signatur`. */
const Signature = Type.Object({
  status: Type.Object({ rutineStatus: Coded, regelStatus: Type.Optional(Coded) }),
  enhet: Type.Object({ organisasjonsnummer: Text }),
  signeringsGrunnlag: Type.Optional(
    Type.Object({
      signaturProkuraRoller: Type.Optional(Type.Object({ signaturProkuraFritekst: Type.Optional(Text) })),
    }),
  ),
  signeringsKombinasjon: Type.Optional(Type.Object({ kombinasjon: Type.Optional(Type.Array(Combination)) })),
})

export type BrregAddress = Static<typeof Address>
export type BrregEntity = Static<typeof Entity>
export type BrregRoles = Static<typeof Roles>
export type BrregRole = Static<typeof Role>
export type BrregSignature = Static<typeof Signature>
export type BrregCombination = Static<typeof Combination>
export type BrregSigner = Static<typeof Signer>

export const readEntity = responseParser(Entity)
export const readRoles = responseParser(Roles)
export const readSignature = responseParser(Signature)
