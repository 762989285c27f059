"""What mail programs write around a person's words, language by language. Data only.

Everything is in lower case and compared so, and means what it says unless the comment calls the entries
regular expressions.
"""

from __future__ import annotations

# The first words of "On 3 November 2026 at 10:12 ... wrote:", and the verb; regular expressions.
WRITING = {
    "en": (r"on", r"wrote|writes"),
    "de": (r"am", r"schrieb|schrieben|geschrieben"),
    "it": (r"il(?: giorno)?|in data", r"ha scritto|scrive|scriveva"),
    "fr": (r"le", r"a [ée]crit"),
    "es": (r"el(?: d[ií]a)?", r"escribi[óo]"),
    "nl": (r"op", r"schreef|heeft(?:.* volgende)? geschreven"),
    "pt": (r"em|no dia", r"escreveu"),
    "sv, da, no": (r"den", r"skrev"),
    "pl": (r"w dniu|dnia", r"napisał(?:\(a\)|a)?|pisze"),
    "cs, sk": (r"dne|dňa", r"napsal(?:\(a\)|a)?|napísal(?:\(a\)|a)?"),
    "ro": (r"pe|în", r"a scris"),
    "el": (r"στις", r"έγραψε"),
    "ru, uk": (r"в", r"написала?(?:\(а\))?|пишет|пише"),
    "zh": (r"在", r"写道|寫道"),
}

# "Quoting Anton Muster <anton@example.org>:"
QUOTING = ("quoting", "zitat von", "citando", "citazione di", "citat", "citaat van", "en réponse à")

# Labels of the block that Outlook and others put above a quote, by what they tell.
LABELS = {
    "from": (
        *("from", "von", "da", "de", "van", "från", "fra", "od", "expéditeur", "mittente", "absender"),
        *("feladó", "de la", "kimden", "от", "від", "από", "lähettäjä", "šalje"),
        *("差出人", "送信者", "发件人", "寄件者", "寄件人", "보낸 사람", "보낸사람", "מאת"),
    ),
    "sent": (
        *(
            "sent",
            "date",
            "received",
            "gesendet",
            "datum",
            "inviato",
            "data",
            "envoyé",
            "enviado",
            "enviado el",
        ),
        *("fecha", "verzonden", "skickat", "dato", "sendt", "wysłano", "wysłane", "enviada em", "enviado em"),
        *("odesláno", "odoslané", "dátum", "elküldve", "trimis", "gönderildi", "tarih", "lähetetty", "päivämäärä"),
        *("отправлено", "надіслано", "изпратено", "дата", "στάλθηκε", "ημερομηνία", "poslano"),
        *("送信日時", "日時", "发送时间", "日期", "寄件日期", "보낸 날짜", "날짜", "נשלח", "תאריך"),
    ),
    "to": (
        "to",
        "an",
        "a",
        "à",
        "para",
        "aan",
        "till",
        "til",
        "do",
        "destinataire",
        "destinatario",
        "empfänger",
        *("per", "komu", "címzett", "către", "kime", "кому", "до", "προς", "vastaanottaja", "saaja", "prima"),
        *("宛先", "收件人", "收件者", "받는 사람", "받는사람", "אל"),
    ),
    "subject": (
        "subject",
        "betreff",
        "oggetto",
        "objet",
        "asunto",
        "onderwerp",
        "ämne",
        "emne",
        "temat",
        "assunto",
        *("rubrik", "předmět", "predmet", "tárgy", "subiect", "konu", "тема", "относно", "θέμα", "aihe"),
        *("件名", "主题", "主旨", "제목", "נושא"),
    ),
    "other": (
        *(
            "cc",
            "bcc",
            "kopie",
            "kopie (cc)",
            "copia",
            "c.c",
            "reply-to",
            "reply to",
            "antwort an",
            "rispondi a",
        ),
        *(
            "importance",
            "priority",
            "wichtigkeit",
            "priorität",
            "priorità",
            "importanza",
            "attachments",
            "anlagen",
        ),
        *("allegati", "message-id", "organization", "répondre à", "pièces jointes"),
    ),
}

# Between dashes: everything below is the letter answered.
ORIGINAL = (
    *(
        "original message",
        "original e-mail",
        "original email",
        "ursprüngliche nachricht",
        "originalnachricht",
    ),
    *(
        "originalmail",
        "original-nachricht",
        "original nachricht",
        "ursprüngliche mail",
        "ursprüngliche e-mail",
    ),
    *(
        "messaggio originale",
        "message d'origine",
        "message d’origine",
        "message original",
        "mensaje original",
    ),
    *("oorspronkelijk bericht", "origineel bericht", "ursprungligt meddelande", "originalmeddelande"),
    *("oprindelig meddelelse", "opprinnelig melding", "wiadomość oryginalna", "mensagem original"),
    *("oprindelig besked", "oryginalna wiadomość", "mail original", "missatge original", "mesaj original"),
    *("původní zpráva", "původní e-mail", "pôvodná správa", "eredeti üzenet", "orijinal mesaj", "izvorna poruka"),
    *("исходное сообщение", "оригинално съобщение", "αρχικό μήνυμα", "alkuperäinen viesti", "הודעה מקורית"),
    *("原始邮件", "原始郵件", "元のメッセージ", "원본 메일", "원본 메시지"),
)
# So too "----- Message from Anton <anton@example.org> -----".
ORIGINAL_BEGINS = (
    "message from ",
    "nachricht von ",
    "messaggio da ",
    "message de ",
    "mensaje de ",
    "bericht van ",
)

# Between dashes or before a colon: everything below is a forwarded letter.
FORWARD = (
    *(
        "forwarded message",
        "begin forwarded message",
        "forwarded letter",
        "forwarded mail",
        "forwarded email",
    ),
    *("weitergeleitete nachricht", "anfang der weitergeleiteten nachricht", "weitergeleitete mail"),
    *(
        "weitergeleitete e-mail",
        "anfang der weitergeleiteten e-mail",
        "beginn der weitergeleiteten nachricht",
    ),
    *("messaggio inoltrato", "inizio messaggio inoltrato", "inizio del messaggio inoltrato"),
    *("message transféré", "message transmis", "début du message transféré", "début du message réexpédié"),
    *("mensaje reenviado", "inicio del mensaje reenviado", "comienzo del mensaje reenviado"),
    *("doorgestuurd bericht", "begin doorgestuurd bericht", "vidarebefordrat meddelande"),
    *("videresendt meddelelse", "mensagem encaminhada", "treść przekazanej wiadomości"),
)
FORWARD_BEGINS = ("forwarded by ", "weitergeleitet von ", "inoltrato da ", "transféré par ", "reenviado por ")

# Whole lines that a phone, a mail program or a virus scanner adds; regular expressions.
FOOTERS = (
    r"(?:this (?:message|email|e-mail|mail) was )?sent (?:from|with|via|using|by) .+",
    r"get (?:the )?outlook for .+",
    r"(?:\S+ ){1,4}\[?outlook \S{1,6} (?:android|ios|iphone|ipad|mac|mobile)\b(?:\S*[\]>)])?",
    r"\[?outlook \S{1,6} (?:android|ios|iphone|ipad|mac|mobile)\b(?:\S*[\]>)])?(?: \S+){1,2}",
    r"get .+ for (?:android|ios|iphone|ipad|mobile)",
    r"download (?:the )?outlook for .+",
    r"get the .+ app.*",
    r"(?:please )?(?:excuse|pardon|forgive) (?:my |any |the )?(?:brevity|typos).*",
    r"(?:mobil )?gesendet (?:von|vom|mit|über|via|per|aus) .+",
    r"mobil gesendet.*",
    r"von (?:meinem|meiner|unterwegs|mobil|yahoo|outlook|samsung|iphone) ?.*gesendet",
    r"von unterwegs(?: gesendet)?",
    r"diese (?:nachricht|e?-?mail) wurde (?:von|vom|mit|über) .+ (?:gesendet|versandt|verschickt)(?:\. .*)?",
    r"bitte (?:entschuldig|verzeih).* (?:kürze|tippfehler).*",
    r"(?:holen|laden) sie (?:sich )?outlook für .+",
    r"outlook für .+ (?:beziehen|herunterladen|abrufen|holen)",
    r"inviat[oa] (?:da|dal|dalla|dall['’]|con|tramite|via|su) ?.+",
    r"(?:ottieni|scarica) outlook per .+",
    r"envoyé (?:de|depuis|à partir|avec|par|via) .+",
    r"(?:obtenir|obtenez|télécharger|téléchargez) outlook pour .+",
    r"enviad[oa] (?:desde|con|por|do|da|de|a partir) .+",
    r"(?:obtener|obtenga|descargar|descargue) outlook para .+",
    r"(?:sendt fra|skickat från|enviat des) .+",
    r"lähetetty \S*(?:iphone|ipad|galaxy|android|outlook|samsung|puhelime)\S*.*",
    r"(?:wysłan[eo]|odesláno|odoslané) z .+",
    r"(?:trimis de pe|poslano s|poslano sa) .+",
    r".+ (?:készülékemről|készülékről|iphone-?ról|androidról) küldve",
    r".*(?:iphone|ipad|galaxy|android).* gönderildi",
    r"(?:отправлено|надіслано|изпратено) (?:со?|из|от|з|із) .+",
    r"στάλθηκε (?:από|με) .+",
    r".*(?:iphone|ipad|galaxy|android).*から送信.*",
    r"发自(?:我的)?.+",
    r"(?:從|从)我的 ?.+(?:傳送|发送)",
    r"나의 .+에서 보냄",
    r"נשלח מה.+",
    r"(?:verstuurd|verzonden|gestuurd) (?:vanaf|vanuit|van|met|via|door) .+",
    r"outlook voor .+ (?:downloaden|ophalen)",
    r"download outlook voor .+",
    r"(?:virus-?free|virenfrei|(?:privo di|senza|(?:garanti )?sans|libre de) virus|virusvrij)"
    r"\.?(?: ?\[?(?:www\.)?(?:avast|avg)\..*)?",
    r"this (?:e?-?mail|message) has been checked for viruses by .*",
    r"diese (?:e?-?mail|nachricht) wurde von .*(?:avast|avg|antivir|viren).*",
    r"questa e-?mail è stata (?:controllata|esaminata) .*(?:avast|avg|virus).*",
    r"(?:l['’]absence de virus|este correo electrónico ha sido comprobado|deze e-mail is gecontroleerd) .*",
    r"[<\[(]?(?:https?://)?(?:www\.)?(?:avast|avg)\.com(?:[/?<\s].*|[>\])])?",
    r"<#[0-9a-f-]{20,}>",
    r"[<\[(]?https://(?:aka\.ms|go\.onelink\.me|mail\.onelink\.me|overview\.mail\.yahoo\.com|proton\.me|pr\.tn)/?\S*",
)

# How the subject of an out-of-office reply may begin, but a person's too; regular expressions.
ABSENT = (
    *(r"auto(?:matic)?[ -]?reply", r"auto[ -]?response", r"auto ?:", r"out of (?:the )?office", r"vacation"),
    *(r"away from (?:my )?(?:(?:e-?)?mail|desk|office|the office)", r"on (?:vacation|holiday|leave)"),
    *(r"automatische antwort", r"abwesenheit\w*", r"abwesend", r"ich bin (?:nicht|im urlaub)", r"urlaub"),
    *(r"nicht (?:im haus|im büro|am arbeitsplatz)", r"außer haus", r"eingangsbestätigung"),
    *(r"risposta automatica", r"fuori (?:sede|ufficio)", r"assente", r"assenza", r"in ferie"),
    *(r"réponse automatique", r"absen(?:t|ce)\w*", r"en (?:congé|vacances)"),
    *(r"respuesta automática", r"fuera de (?:la )?oficina", r"automatisch antwoord", r"afwezig\w*"),
    *(
        r"自動(?:応答|返信|配信)\w*",
        r"不在\w*",
        r"自动(?:答复|回复)\w*",
        r"自動回覆\w*",
        r"자동 ?(?:회신|응답)\w*",
        r"부재\w*",
    ),
)

# How programs begin it, before the subject that is answered, and no person does; regular expressions before a colon.
AUTOMATIC = (
    *(r"automatic reply", r"out of (?:the )?office auto-?reply", r"auto-?reply", r"auto(?:matic|mated)? response"),
    *(
        r"automatische (?:antwort|rückantwort)",
        r"abwesenheits(?:notiz|nachricht|meldung|assistent)",
        r"automatisch antwoord",
    ),
    *(r"risposta automatica", r"respuesta automática", r"resposta automática"),
    *(r"réponse automatique(?: d['’]absence(?: du bureau)?)?",),
    *(r"afwezigheids(?:bericht|assistent)", r"auto(?:matiskt )?svar", r"automatisk svar", r"automaattinen vastaus"),
    *(r"odpowiedź automatyczna", r"automatická odpověď", r"automatikus válasz", r"răspuns automat", r"otomatik yanıt"),
    *(r"автоматический ответ", r"автоматична відповідь", r"αυτόματη απάντηση", r"תשובה אוטומטית", r"رد تلقائي"),
    *(r"自動応答", r"自動返信", r"不在通知", r"自动答复", r"自动回复", r"自動回覆", r"자동 회신", r"부재중"),
)

# Before a subject of ours, and what Lotus Notes and Yahoo write in place of it; regular expressions.
AUTOMATIC_WHOLE = (
    r"(?:out of (?:the )?office|fuori (?:sede|ufficio)|fuera de (?:la )?oficina|absence du bureau) ?:"
    r".*\[[a-z]+-\d+\].*",
    r"(?:auto ?: ?)?.{1,60} is out of the office\b.{0,60}",
    r"(?:auto ?: ?)?.{1,60} ist (?:außer haus|nicht im (?:büro|haus)|abwesend)\b.{0,60}",
    r"auto ?: .{1,60} (?:est absente?|è (?:fuori (?:sede|ufficio)|assente)|está (?:fuera de la oficina|ausente))\b.*",
    r"yahoo! auto ?response",
)
