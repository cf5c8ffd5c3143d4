/**
 * The words that indicate a risk, in every form that counts. A stemmer cannot do this: Snowball merges `authorize`,
 * `author` and `authority`. SPEC.md § RK1.
 */

export const riskCategories = [
  'production-access',
  'sensitive-data',
  'security-critical',
  'billing-external-api',
  'destructive-ops',
] as const

export type RiskCategory = (typeof riskCategories)[number]

/** Single words, and pairs of words that count when adjacent or written as one. */
export interface RiskWords {
  readonly words: ReadonlySet<string>
  readonly pairs: readonly (readonly [first: ReadonlySet<string>, second: ReadonlySet<string>])[]
}

export const riskWords: Readonly<Record<RiskCategory, RiskWords>> = {
  // not: product, productive, alive, deliver, stage, helmet, overwhelm
  'production-access': {
    words: words(
      'prod production live staging helm terraform terraformed terraforming kubeconfig kubeconfigs',
      forms('productioni', 'se ses sed sing ze zes zed zing'),
      forms('deploy', '- s ed ing ment ments er ers able'),
      forms('redeploy', '- s ed ing ment ments'),
      'produktivsystem produktivumgebung',
    ),
    pairs: [pair('kube', 'config configs')],
  },
  // not: philosophy, graphic, secretary, secrete, tokenize, tokenizer
  'sensitive-data': {
    words: words(
      'pii phi hipaa gdpr ssn ssns password passwords passwordless secret secrets token tokens',
      'dsgvo rgpd passwort passwörter passwörtern kennwort kennwörter kennwörtern zugangsdaten contraseña contraseñas',
    ),
    pairs: [pair('api', 'key keys')],
  },
  // not: author, authority, authorship, authoring, authentic, cryptic
  'security-critical': {
    words: words(
      'auth auths authed authn authz auth0 oauth oauth1 oauth2 webauthn jwt jwts sso',
      forms('authenticat', 'e es ed ing ion ions or ors'),
      forms('unauthenticated', '-'),
      forms('reauthenticat', 'e es ed ing ion'),
      forms('authori', 'ze zes zed zing zer zers zation zations se ses sed sing ser sers sation sations'),
      forms('unauthori', 'zed sed'),
      forms('encrypt', '- s ed ing ion or ors'),
      forms('unencrypted', '-'),
      forms('decrypt', '- s ed ing ion or ors'),
      forms('crypto', '- s graphy graphic graphical graphically currency currencies'),
      forms('authentifizier', 'en t te ung'),
      forms('autorisier', 'en t te ung'),
      forms('verschlüssel', 'n t te ung'),
      forms('entschlüssel', 'n t te ung'),
      'authentifier authentification chiffrer chiffrement déchiffrer autenticar autenticación cifrar cifrado descifrar',
    ),
    pairs: [],
  },
  // not: stripes, striped, bill, billion, charger, recharge, discharge, subscribe, subscript, pay
  'billing-external-api': {
    words: words(
      'stripe paypal billing billings billable billed',
      forms('charg', 'e es ed ing eable eback ebacks'),
      forms('invoic', 'e es ed ing'),
      forms('subscription', '- s'),
      forms('payment', '- s'),
      forms('repayment', '- s'),
      forms('prepayment', '- s'),
      forms('zahlung', '- en'),
      forms('rechnung', '- en'),
      forms('abrechnung', '- en'),
      'paiement paiements facture factures facturation pago pagos factura facturas facturación',
    ),
    pairs: [],
  },
  // not: immigration, migrant, migratory, droplet, deleted from
  'destructive-ops': {
    words: words(
      forms('migrat', 'e es ed ing ion ions or ors able'),
      forms('truncat', 'e es ed ing ion ions'),
      'migrieren migriere migriert migrer migrar migración',
    ),
    pairs: [
      pair('drop drops dropped dropping', 'table tables'),
      pair('delete deletes deleting', 'from'),
      pair('breaking', 'change changes'),
    ],
  },
}

/** Words that ask for speed over thoroughness. Not: faster, breakfast, fastener, simplify, simplest. */
export const speedWords: ReadonlySet<string> = words(
  'quick quickly fast simple poc pocs spike spikes prototype prototypes prototyped prototyping',
)

function words(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')))
}

/** A stem with each of its endings; `-` is the bare stem. */
function forms(stem: string, endings: string): string {
  return endings
    .split(' ')
    .map((ending) => (ending === '-' ? stem : stem + ending))
    .join(' ')
}

function pair(first: string, second: string): readonly [ReadonlySet<string>, ReadonlySet<string>] {
  return [words(first), words(second)]
}
