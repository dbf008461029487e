//! The HTML report, as text and in a real browser where one is installed.

use std::io::Cursor;
use std::path::PathBuf;
use std::process::Command;

use movegen::rules::RuleSet;
use tools::board::Pieces;
use tools::games::{self, Format, Game, ReadOptions};
use tools::judge::Lang;
use tools::report;

/// A perpetual check with a variation, and two games more for a cross table.
const GAMES: &str = r#"[Event "</script><b>"]
[Red "Hồ"]
[Black "楊"]
[Result "0-1"]
[FEN "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1"]

1. X2.1 {[%eval 0.35] check} (1. X2-3 P1.1 {aside}) 1... Tg6.1 {[%eval -1.20]} 2. X2/1 Tg6/1 3. X2.1 Tg6.1 4. X2/1 Tg6/1 0-1

[Red "Hồ"]
[Black "楊"]
[Result "1/2-1/2"]

1. C2=5 H8+7 1/2-1/2

[Red "楊"]
[Black "Lại"]
[Result "1-0"]

1. C2=5 1-0
"#;

fn games() -> Vec<Game> {
    games::read(Cursor::new(GAMES.as_bytes()), Some(Format::Pgn), None, ReadOptions::default())
        .collect::<Result<_, _>>()
        .unwrap_or_else(|e| panic!("{e}"))
}

fn page() -> String {
    report::page(&games(), None, Lang::Vi, Pieces::Chinese, RuleSet::Asian).expect("a page")
}

#[test]
fn the_page_is_whole_and_safe() {
    let page = page();
    assert!(!page.contains("{{"));
    // A tag cannot end the script element, and nothing is fetched.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org/").count()
    );
    assert!(!page.contains("https://"));
    assert!(page.contains("<title>&lt;/script&gt;&lt;b&gt;</title>"));
}

fn browser() -> Option<PathBuf> {
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
}

/// The page's elements after the keys were pressed, as the browser has them.
fn dom_after(keys: &[&str], place: &str) -> Option<String> {
    let keys = serde_json::to_string(keys).expect("strings are JSON");
    let presses = format!(
        "for (const key of {keys}) document.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));"
    );
    // Events fired at the document have it as their target, which has no tag name.
    let page = page().replace("</body>", &format!("<script>addEventListener('error',e=>{{document.title='FAULT '+e.message}});{presses}</script></body>"));
    dom(&page, place)
}

/// A page's elements, as the browser has them.
fn dom(page: &str, place: &str) -> Option<String> {
    let browser = browser()?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("page.html");
    std::fs::write(&path, page).expect("a file");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
        ])
        .args(["--disable-component-update", "--disable-sync", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}#{place}", path.display()))
        .output()
        .expect("the browser starts");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_browser_steps_through_the_game() {
    let Some(dom) = dom_after(&["ArrowRight", "ArrowRight", "ArrowLeft"], "game=1&ply=0") else {
        // No browser here.
        return;
    };
    assert!(!dom.contains("<title>FAULT"), "{dom}");
    assert!(dom.contains(">Hồ</span>") || dom.contains("Hồ"), "{dom}");
    let now = dom.split("class=\"mv now\"").nth(1).expect("a current move");
    assert!(now.split("</span>").next().is_some_and(|text| text.contains("X2.1")), "{now}");
    // The judgement in the language of the page, and the cross table.
    assert!(dom.contains("Đỏ thua"));
    assert!(dom.contains("Bảng đối đầu"));
    assert!(dom.contains("aside"));
    // Two evaluations make a graph.
    assert!(dom.contains("<polyline points=\"0.0"));
    let end = dom_after(&["End", "f"], "game=1&ply=0").expect("the browser was there");
    let now = end.split("class=\"mv now\"").nth(1).expect("a current move");
    assert!(now.contains("Tg6/1"));
}

/// On a phone, 390 pixels wide, nothing but the cross table's own box scrolls sideways, whatever the players are called; and few players
/// need no scrolling there either.
#[test]
fn the_page_fits_a_phone() {
    let names =
        ["Grandmaster Nguyễn Thành Bảo of Hà Nội", "Supercalifragilisticexpialidocious", "engine-2025-06-01"];
    for (players, games_a_pair) in [(2, 40), (3, 1), (3, 9)] {
        let mut pgn = String::new();
        for (red, black) in (0..players).flat_map(|red| (0..players).map(move |black| (red, black))) {
            if red < black {
                let (red, black) = (names[red], names[black]);
                let game = format!(
                    "[Event \"{red} Memorial\"]\n[Red \"{red}\"]\n[Black \"{black}\"]\n\n1. C2=5 1/2-1/2\n\n"
                );
                pgn += &game.repeat(games_a_pair);
            }
        }
        let games = games::read(Cursor::new(pgn), Some(Format::Pgn), None, ReadOptions::default());
        let games: Vec<Game> = games.map(|read| read.expect("a game")).collect();
        for lang in [Lang::En, Lang::Vi, Lang::Zh] {
            let page = report::page(&games, None, lang, Pieces::Chinese, RuleSet::Asian).expect("a page");
            let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
            let outer = format!(
                "<title>-</title><iframe id=f width=390 height=800 style='border:0' srcdoc=\"{escaped}\"></iframe><script>onload=()=>{{\
                 const d=document.getElementById('f').contentDocument,s=d.querySelector('#cross .scroll');\
                 document.title=`${{d.documentElement.scrollWidth>d.documentElement.clientWidth}} ${{s.scrollWidth>s.clientWidth}}`}}</script>"
            );
            let Some(dom) = dom(&outer, "") else { return };
            assert!(
                dom.contains("<title>false false</title>"),
                "{players} {games_a_pair} {lang:?}: {}",
                dom.get(..200).unwrap_or(&dom)
            );
        }
    }
}
