import { foldText } from './text-folding.js';

/**
 * Words of software documentation that are used for one another, and abbreviations; groups by language. A word may be
 * in several groups: its synonyms are not synonyms of each other.
 */
const GROUPS = `
kubernetes, k8s
javascript, js
typescript, ts
python, py
postgresql, postgres, pg
database, db
authentication, auth, authn, login, sign in
authorization, auth, authz, permission, access control
administrator, admin
environment, env
environment variable, env var
configuration, config, settings, options, preferences
configure, set up, customize, adjust
setting, option, parameter, property, preference
argument, parameter, arg, option, flag
directory, folder, dir
repository, repo
documentation, docs, manual, guide
application, app
message, notification
information, info
single sign on, sso, saml
two factor authentication, 2fa, mfa, multi factor
internationalization, i18n, localization, l10n, translation
accessibility, a11y
command line, cli, terminal, shell, console
user interface, ui, dashboard, frontend
application programming interface, api
software development kit, sdk, client library
identifier, id
regular expression, regex, regexp, pattern
certificate, cert, tls, ssl
encryption, encrypt, tls, ssl
https, tls, ssl
virtual machine, vm
operating system, os
continuous integration, ci, pipeline
pull request, merge request, change request
garbage collection, gc
timestamp, time, date
key, token, secret, credential
password, passphrase, credential
user, account, member
profile, account
organization, company, workspace, tenant
team, group
role, permission, right
permission, right, access, privilege
delete, remove, erase, drop, discard, uninstall
create, add, new, make
change, update, edit, modify
rename, change name
upgrade, update, migrate
migrate, move, port, transfer
copy, duplicate, clone
send, emit, post, forward, output, deliver
receive, accept, input, listen, ingest
read, get, fetch, retrieve, load
write, save, store, persist
start, launch, run, boot, begin
stop, halt, terminate, kill, shut down, end
restart, reboot, reload
pause, suspend, resume
cancel, abort
enable, activate, turn on, switch on
disable, deactivate, turn off, switch off
show, display, view, render
hide, conceal
find, search, look up, query, locate
filter, select, match
sort, order
compare, diff, difference
error, failure, exception, fault, problem
crash, failure, fail
fix, solve, resolve, repair, troubleshoot
debug, troubleshoot, diagnose
troubleshooting, problem, issue
bug, issue, defect
log, logging, record
monitor, observe, metrics, watch
metric, measurement, statistics, stats
backup, back up, snapshot, dump
restore, recover, recovery
retry, try again, repeat
timeout, time limit, deadline
limit, quota, maximum, restriction, cap
throttle, rate limit
size, length, capacity
speed, performance, throughput, fast
slow, performance, latency
memory, ram, heap
disk, storage, file system
cache, caching, buffer
buffer, queue, chunk
queue, backlog, job
schedule, cron, timer, periodic, recurring
timer, delay, wait
job, task, process, worker
worker, process, thread
thread, concurrency, parallel
cluster, high availability, ha, failover
high availability, ha, failover, redundancy
replica, replication, copy
scale, scaling, horizontal
load balancer, load balancing, balance
server, host, machine, node
host, server, address, domain
domain, hostname, dns
address, url, uri, link, endpoint
endpoint, route, url
link, reference, hyperlink
webhook, callback, hook
hook, callback, event
event, trigger
request, call
response, reply, answer
client, consumer
plugin, extension, add on, module
install, setup, set up, installation
installation, setup
deploy, deployment, release, ship, roll out, host
release, version, publish
publish, release, go live
version, revision, history
history, changelog, revision
rollback, revert, undo
review, approve, approval
comment, discussion, note
merge, combine, join
split, divide, separate
import, upload, load
export, download, dump
download, export
upload, attach, import
attachment, file, upload
image, picture, photo, screenshot
icon, emoji
template, boilerplate, scaffold
theme, style, appearance, design, branding, look
color, colour
logo, brand
language, locale
translate, translation
page, document, article
section, heading, chapter
heading, title
table, grid
diagram, chart, graph
workflow, process, automation, flow
variable, placeholder
expression, formula, condition
condition, if, rule
loop, repeat, iterate, for each
branch, fork
tag, label
field, property, attribute, column
value, content
type, kind
default, standard
required, mandatory
optional, not required
example, sample, tutorial
tutorial, guide, walkthrough, getting started, quick start
getting started, quick start, introduction, first steps
overview, introduction
faq, frequently asked questions
glossary, terminology, definitions
license, licence
price, cost, billing, pricing, payment
invoice, bill
subscription, plan
trial, free
privacy, gdpr, personal data
security, secure, protect, hardening
protect, secure, restrict
restrict, limit, forbid, block, deny
allow, permit, grant
invite, invitation, add member
email, mail, e mail
notify, notification, alert
alert, alarm, notification
proxy, reverse proxy, gateway
firewall, network policy
network, connection
connect, integrate, link, attach
connection, integration
integration, connector
sync, synchronize, synchronization
encode, encoding, serialize
decode, parse, deserialize
parse, parser, parsing
format, formatting
json, javascript object notation
yaml, yml
markdown, md
csv, comma separated
compress, compression, gzip, zip
unzip, decompress, extract
test, testing, check
validate, check, verify, validation
verify, validate, confirm
build, compile
compile, build
dependency, requirement, package
requirement, prerequisite
package, library, module
function, method
class, type
interface, contract
service, daemon
container, docker, image
deprecated, obsolete, removed
multiple, several, many
both, two
big, large
tiny, small

löschen, entfernen
ändern, bearbeiten, anpassen
erstellen, anlegen, hinzufügen, neu
anmelden, einloggen, login, anmeldung
einmalanmeldung, sso, single sign on, saml
passwort, kennwort
benutzer, nutzer, anwender, konto
berechtigung, recht, zugriff, rolle
einstellung, konfiguration, option
einrichten, konfigurieren, installieren
sicherung, backup, datensicherung
wiederherstellen, rückgängig, restore
fehler, problem, störung
fehlerbehebung, problemlösung, troubleshooting
benachrichtigung, nachricht, mitteilung, meldung
suche, finden, suchen
hochladen, upload, importieren, import
herunterladen, download, exportieren, export
schnittstelle, api, anbindung
schlüssel, token
aktualisierung, update, upgrade
aktualisieren, updaten, upgraden
lizenz, abonnement, vertrag
preis, kosten, gebühr
grenze, grenzwert, limit, maximum
urlaub, abwesenheit
arbeitszeit, zeiterfassung
handy, smartphone, mobil, app
rechnung, abrechnung
löschung, entfernung
gruppe, team
firma, unternehmen, organisation
starten, ausführen
anhalten, stoppen, beenden

supprimer, effacer, enlever, retirer
modifier, changer, éditer
créer, ajouter, nouveau
connexion, authentification, se connecter, login
authentification unique, sso, saml
mot de passe, identifiant
utilisateur, compte, membre
droit, autorisation, permission, accès, rôle
paramètre, réglage, option, configuration
installer, mettre en place
sauvegarde, backup, copie de sécurité
restaurer, récupérer, restauration
erreur, problème, panne
dépannage, résolution, problème
notification, alerte, message
recherche, chercher, trouver
importer, téléverser, charger
exporter, télécharger, export
interface, api
clé, jeton, token
mise à jour, mise à niveau, version
licence, abonnement
prix, coût, tarif
limite, quota, maximum
facture, facturation
équipe, groupe
entreprise, société, organisation
démarrer, lancer, exécuter
arrêter, stopper
courriel, e mail, mail
livraison, expédition
commande, achat
remboursement, retour

eliminar, borrar, quitar
cambiar, modificar, editar, actualizar
crear, añadir, agregar, nuevo
iniciar sesión, acceso, autenticación
contraseña, clave
usuario, cuenta, miembro
permiso, derecho, acceso, rol
configuración, ajustes, opciones
error, fallo, problema
copia de seguridad, respaldo, backup
buscar, búsqueda, encontrar
límite, cuota, máximo

削除, 消す, 除去, 取り消し
変更, 編集, 更新, 修正
作成, 追加, 新規
ログイン, サインイン, 認証
シングルサインオン, SSO, SAML
パスワード, 暗証番号
ユーザー, 利用者, アカウント, メンバー
権限, アクセス, ロール, 役割
設定, 構成, オプション
インストール, 導入, セットアップ
バックアップ, 保存, 控え
復元, 復旧, リストア, 戻す
エラー, 障害, 不具合, 問題
トラブルシューティング, 問題, 解決
通知, お知らせ, アラート, メール
検索, 探す, 見つける
インポート, 取り込み, 読み込み
エクスポート, 書き出し, ダウンロード, 出力
連携, 統合, 接続
キー, トークン, 鍵
アップデート, 更新, アップグレード
ライセンス, 契約, プラン
料金, 価格, 費用, 支払い
上限, 制限, 最大
会社, 組織, 企業
グループ, チーム
起動, 開始, 実行
停止, 終了
`;

const ENDINGS = /(?:ings?|ed|e?s|e)$/;
/** A key that forms of the same word mostly share; exact for words that are short or not Latin. */
function keyOf(text: string): string {
  const folded = foldText(text)
    .replace(/[\s_-]+/g, ' ')
    .trim();
  return folded
    .split(' ')
    .map((word) => (word.length > 3 ? word.replace(ENDINGS, '') : word))
    .join(' ');
}

/** Finds the other names of a word or adjacent words, whatever their form, in groups of names for the same. */
export function synonymTable(groups: readonly (readonly string[])[]): (text: string) => readonly string[] {
  const table = new Map<string, readonly string[]>();
  for (const names of groups)
    for (const name of names) {
      const key = keyOf(name);
      const others = names.filter((other) => keyOf(other) !== key);
      table.set(key, [...new Set([...(table.get(key) ?? []), ...others])]);
    }
  return (text) => table.get(keyOf(text)) ?? [];
}

/** Other names for a word or adjacent words that are known to every organization. */
export const synonymsOf = synonymTable(
  GROUPS.split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(',').map((name) => name.trim())),
);
