"""Chinese. Words are not spaced, so patterns name characters and clauses end at every comma."""

from reflexio_core.adapters.offline.languages.lexicon import Language, Phrases, entries, pattern, words

_ADVERBS = words(
    "现在 已经 一直 从来 从 平时 一般 通常 总是 经常 更 最 都 也 还 就 很 特别 非常 "
    "真的 不再 再也不 不 不太 以前 每天 目前 刚 主要 只 其实 比较"
)
_HABITS = words(
    "喜欢 喜爱 热爱 爱 讨厌 偏好 习惯 偏爱 住 搬到 搬去 搬家到 用 使用 采用 吃 喝 坐 "
    "说 讲 开 养 部署 负责 学 来自 从事 毕业 结婚 改用 改喝 换成 对 信 戒 想要 写"
    "需要 支持 穿 乘 抽 抽烟 喝酒 跑步 健身 游泳 上班 工作 换 穿 骑 买 卖 经营"
)
_PERSONS = words("同事 老板 经理 朋友 邻居 客户 老师 领导 同学 室友 助理 上司")
_VERBS = words(
    "部署 启动 重启 迁移 预订 预定 订 准备 转换 安装 添加 新增 删除 创建 新建 "
    "提交 推送 合并 发布 生成 导出 导入 翻译 安排 取消 退款 更新 升级 重命名 移动"
    "复制 测试 跳过 标记 配置 启用 禁用 收费 开票 发送 回答 回复 解释 描述 检查 "
    "修复 修改 切换 打开 关闭 计算 查询 起草 计划 整理 归档 恢复 下载 上传 通知 写"
    "总结 使用 购买 运行 执行 命名 排序 确认"
)

ZH = Language(
    code="zh",
    function_words=entries("的 了 是 我 你 不 在 有 们 这 那 请 吗 呢 和"),
    clause_break=pattern(r"[，,：:]\s*|\s*——\s*|(?=但是|不过|因为|所以)"),
    fillers=pattern(
        r"(?:(?:你好|您好|嗯|好的|好吧|好|哦|其实|对了|另外|我(?:早就|已经)?(?:说过|告诉过你|跟你说过)(?:了)?|"
        r"顺便说一下|顺便|请记住|记住|谢谢|还有|不过|但是|但|因为|所以|那|等等|等一下|以后|今后|从现在起|不对|"
        r"不是|不(?=$)|错了|"
        r"请注意|注意|麻烦|而且|然后|请)[\s，,。！!：:]*){1,6}"
    ),
    scope=pattern(r"(?P<scope>(?:出差|旅行|上班|早上|晚上|平时|周末|睡前)(?:的时候|时))[，,]?(?=我|咱)"),
    topic=pattern(
        r"(?:我们?的)?(?P<scope>(?!我|咱|以后|今后)[^，。\s]{1,8}?)(?:里面?|中|上|时|的时候)?(?=不要|别|一律|"
        r"统一|必须|务必|要(?!是|么|求|的))"
    ),
    trailers=pattern(r"(?:谢谢|哈|啊|哦|呀|吧|哟|了哦)+$"),
    question=pattern(r".{0,80}(?:吗|呢|什么|怎么|哪|多少|几点|为什么|谁|能不能|可不可以|是不是)"),
    hypothetical=pattern(r"如果|假如|假设|要是|设想|想象|万一|倘若|假使|比方说|比如说|可能|也许|或许|说不定"),
    correction=pattern(r"不对|错了|不是|等等|等一下|别|不要|从来不|太[长短]|我说的是|我要的是|应该|改成|改用|而不是"),
    facts=(
        pattern(rf"(?:我们?|咱们?)(?:公司|团队|家)?(?:{_ADVERBS}){{0,4}}(?:{_HABITS})\S"),
        pattern(
            r"(?:我们?|咱们?)(?:现在|已经|一直|都|还|就|平时|目前){0,3}在\S{1,30}(?:工作|上班|上学|生活|定居|"
            r"读书|做|当|任职|负责)"
        ),
        pattern(r"(?:我们?|咱们?)(?:现在|已经|其实|都|还|就|不再|不){0,3}是\S"),
        pattern(
            r"(?:我们?|咱们?)(?:公司|团队|家|现在|已经|大概|一共|总共|"
            r"只){0,3}有\s?[\d一二三四五六七八九十百千万两几]+\S"
        ),
        pattern(r"(?:我们?|咱们?)(?:公司|团队)?(?:名|就|也)?(?:叫|姓|名叫)\S"),
        pattern(r"(?:我们?|咱们?|我家)的?[^，是在有叫对]{1,20}(?:是|在|有|叫|对|住在|运行在|跑在|用)\s?\S"),
        pattern(
            rf"(?:我们?|咱们?)(?:出差|旅行|上班|早上|晚上|平时|周末|睡前|"
            rf"一般){{1,3}}(?:{_ADVERBS}){{0,3}}(?:{_HABITS})\S"
        ),
        pattern(r"我们?的?\S{1,6}?(?:今年|已经|快|才|刚)?\s?\d{1,3}\s?岁"),
        pattern(r"(?:我们?|咱们?)(?:每天|每周|平时|通常|一般|经常|总是|从不|从来不|已经不|不再|现在不)\S{2,}"),
        pattern(r"叫我\S"),
        pattern(r"(?:我们?|咱们?)?(?:现在|已经|刚刚?|最近)*从\S{1,10}?(?:搬到|搬去|搬来|换到|调到|转到|改用)\S"),
        pattern(r"(?:我们?)?(?:更|最|很|特别|非常|不|不太)?(?:喜欢|偏爱|讨厌)(?!这|那|你|它|他|她|怎|什|吗|的)\S{2,}"),
    ),
    impersonal=pattern(r"(?!这|那|它|他|她|应该)[^，是在叫]{2,12}(?:是|应该是|在|叫)\s?\S"),
    not_facts=pattern(
        r"(?:我们?|咱们?)\S{0,6}(?:喜欢|爱|讨厌|用|需要|想要|习惯)(?:这|那|你|它|他|她|怎|什)|我(?:是说|是想|"
        r"是不是|是在|说的|要的|的意思|的问题|"
        r"的错)|我(?:有(?:个|点|一个)?(?:问题|疑问|事|空)|在(?:家|看|想|吃|等|忙|路上)|先)"
        r"|(?:我们?)(?:对|说|讲|写|开|坐|学|买|吃|喝)(?:的|了(?:一下|个)|一下|你|这|那|不起|完|过)|我都|"
        r"我对(?:这|那|你)"
    ),
    continued=pattern(r"(?:现在|目前|已经|也|还|都|更|最|每天|平时|一般|从|不|从来|改|再也|并且)\S"),
    implied="我",
    others=pattern(
        rf"(?:(?:我们?|咱们?|他们?|她们?)的?(?:{_PERSONS})(?!(?:是|叫|名叫)[^，\s]{{2,4}}$)|他|她|别人|有人|大家|人家)"
    ),
    solo=pattern(r"我(?!们)"),
    own=pattern(r"我|咱"),
    rendering=((pattern(r"^(?:我们|咱们|我家|我|咱)的?(?=\S)"), ""),),
    never=pattern(
        r"(?:(?:我们?|咱们?)?(?:从来不|从不|永远不要|永远别|绝不|绝对不要|都?不要再?|别再?|禁止|不准|不许)|"
        r"不(?=用\S))(?!忘|担心|客气|急|闹|说了|了|"
        r"知道|好意思|介意)(?P<body>\S.{1,80})"
    ),
    always=pattern(
        r"(?:(?:我们?|咱们?)?(?:以后都?|一直|总是|每次都?|始终|一律|统一|务必|必须|一定要|永远|今后都?|都要?|"
        r"要(?!是|么|求|不|的|去|走|多)){1,3}|"
        r"(?=(?:用|使用|改用|直接给|先|给出|写|回答|发|放|按|加上|保留|附上)))\s?(?P<body>(?!一下|吧|这样|好)\S.{1,80})"
    ),
    standing=pattern(r"以后|一直|总是|每次|始终|一律|从来不|从不|永远|今后|从现在起|务必|必须|统一|默认"),
    style=pattern(r"回答|回复|解释|总结|邮件|消息|语气|简短|简洁|正式|表情|标题|列表|命令|中文|英文|背景"),
    meant=pattern(
        r"(?:我(?:说|要|指)的是|我的意思是|应该是|"
        r"而?是)\s?(?P<good>[^，。！？；,]{1,30})(?:[，,]\s?(?:而?不是|不要)\s?(?P<bad>[^，。！？；,]{1,30}))?"
    ),
    forget=pattern(
        r"(?:请|麻烦|帮我|可以)?(?:把)?(?:(?:忘记|忘掉|忘了|删除|删掉|清除|别记住?|不要记住?|"
        r"不要保存)(?:关于)?(?P<topic>(?:我|有关|所有|之前|"
        r"上次).{1,40})|(?P<topic2>我的.{1,20})(?:忘记|忘掉|忘了|删掉|删除))"
    ),
    forget_everything=pattern(
        r"^(?:我的?)?(?:所有|全部|一切)(?:的?关于我的?)?的?(?:信息|资料|数据|记录|事情?|内容|东西)?$|^我$|"
        r"^我的(?:信息|资料|数据)$"
    ),
    verbs={form: form for form in _VERBS.split("|")},
    acting=pattern(rf"(?P<verb>{_VERBS})(?P<item>[^，。！？；,…\n]{{0,40}})"),
    asking=pattern(rf"(?P<verb>{_VERBS})(?P<item>[^，。！？；,…\n]{{0,40}})"),
    when_clause=pattern(r"(?P<when>[^，。]{2,20}(?:之前|以前|之后|以后|的时候|时))"),
    item_end=pattern(r"到|在|用|给|从|和|并|后|成|为|至|了|，|。|吧|…"),
    determiners=pattern(r"^(?:一下|一个|一张|一份|一些|一|这个|那个|这|那|新的|新|个|了|好|您)\s?"),
    pronouns=pattern(r"^(?:它|他|她|这|那|我|你)"),
    context=pattern(r"^(?!)(?P<context>)"),
    toward=pattern(r"(?:到|至|往)\s?$"),
    categories={
        "region": "区域",
        "url": "网址",
        "email": "邮箱",
        "path": "路径",
        "file": "文件",
        "version": "版本",
        "branch": "分支",
        "table": "表",
        "column": "列",
        "database": "数据库",
        "bucket": "存储桶",
        "service": "服务",
        "cluster": "集群",
        "port": "端口",
        "time": "时间",
        "date": "日期",
        "day": "日期",
        "format": "格式",
        "date format": "日期格式",
        "currency": "货币",
        "amount": "金额",
        "quantity": "数量",
        "unit": "单位",
        "language": "语言",
        "tone": "语气",
        "package manager": "包管理器",
        "test runner": "测试工具",
        "formatter": "格式化工具",
        "editor": "编辑器",
        "tool": "工具",
        "framework": "框架",
        "programming language": "编程语言",
        "ci system": "持续集成系统",
        "airline": "航空公司",
        "hotel": "酒店",
        "customer": "客户",
        "identifier": "名称",
        "name": "名称",
        "place": "地点",
        "queue": "队列",
        "function": "函数",
        "variable": "变量",
        "message broker": "消息队列",
        "environment": "环境",
        "cloud": "云服务商",
        "timezone": "时区",
        "account": "账户",
        "channel": "渠道",
        "model": "模型",
    },
    category_tasks={
        "package manager": "安装软件包",
        "test runner": "运行测试",
        "branch": "推送代码",
        "formatter": "格式化代码",
        "database": "使用数据库",
        "region": "选择区域",
        "currency": "给出金额",
        "unit": "给出数量",
        "date format": "写日期",
        "date": "确定日期",
        "time": "确定时间",
        "path": "写入文件",
        "file": "修改文件",
    },
    nouns={
        "区域": "region",
        "分支": "branch",
        "合并": "branch",
        "推送": "branch",
        "表": "table",
        "数据库": "database",
        "存储桶": "bucket",
        "服务": "service",
        "集群": "cluster",
        "端口": "port",
        "文件": "file",
        "货币": "currency",
        "航班": "airline",
        "酒店": "hotel",
        "客户": "customer",
        "版本": "version",
        "格式": "format",
        "工具": "tool",
    },
    generic=entries("生产 测试 新 旧"),
    durations=(
        (pattern(r"今天|今晚|明天|今早|现在正"), "one_day"),
        (pattern(r"这周|本周|这几天|下周|暂时"), "one_week"),
        (pattern(r"这个月|本月|下个月"), "one_month"),
        (pattern(r"这个季度|本季度|今年夏天"), "one_quarter"),
        (pattern(r"今年|明年"), "one_year"),
    ),
    attributes=(
        ("residence", pattern(r"^(?:我们?|现在|已经|刚|都){0,3}(?:从\S{1,10}?)?(?:住|搬到|搬去|搬来|搬家到|定居)")),
        ("employer", pattern(r"^(?:我们?|现在|已经|都){0,3}在\S{1,30}(?:工作|上班)")),
        ("name", pattern(r"^(?:我|名)?叫|^(?:名字|姓名)是")),
        ("birthday", pattern(r"生日")),
        ("timezone", pattern(r"时区")),
        ("age", pattern(r"^(?:我)?(?:今年)?\d{1,3}岁")),
        ("phone", pattern(r"电话|手机号")),
        ("address", pattern(r"地址")),
        ("email", pattern(r"邮箱|邮件地址")),
        ("job", pattern(r"^(?:我)?是\S{0,10}(?:经理|工程师|老师|医生|设计师|律师|学生|程序员|总监)|职位是|职业是")),
        ("car", pattern(r"^(?:我|现在|平时){0,2}开(?!始|心|会)")),
        ("studies", pattern(r"^(?:我|现在){0,2}学(?!校|生)")),
        ("sentiment", pattern(r"^\S{0,6}?(?:喜欢|喜爱|热爱|爱|讨厌|偏好|偏爱)")),
    ),
    current=pattern(r"现在|目前|改"),
    negation=pattern(r"不|没|讨厌|戒|别|无"),
    functional=entries(
        "名字 姓名 英文名 预算 上限 截止日期 规模 区域 分支 版本 货币 时区 语言 格式 端口 "
        "价格 工资 地址 电话 邮箱 生日 单位 职位 团队"
    ),
    copula=pattern(r"是|在|有|：|为"),
    using=pattern(r"用|改成|换成"),
    purpose=pattern(r"(?P<purpose>$^)"),
    time_words=entries("现在 目前 已经 以前 每天 平时 一般 经常 了 再 也 都 很 最 我"),
    contrast=pattern(r"[，,]?(?:而不是|而非|不是|不要用|别用)"),
    phrases=Phrases(
        value="{context}{category}：{good}",
        value_alone="{category}：{good}",
        rejected_once="（不用 {bad}）",
        rejected="（不要用 {bad}）",
        before="{task}之前",
        when="{task}时",
        answering="回答用户",
        acting="处理请求",
        confirm="先与用户确认{category}，再{task}",
        avoid="不要{body}",
        instead="{body}，不要{other}",
        details="具体要求",
        target="目标{category}",
        asked="用户询问{topic}时",
        cover="补充专家会提到的内容：{body}",
        corrected="用户在这一点上纠正了助手。",
        preferred="用户要求长期如此。",
        expert="专家的回答比助手的更完整。",
    ),
)
