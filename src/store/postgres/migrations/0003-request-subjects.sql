-- Finds the directories whose request log names somebody: terms of subjects begin with u (see src/store/requests.ts).
create index request_terms_by_subject on request_terms (term, directory_id) where term >= 'u' and term < 'v';
